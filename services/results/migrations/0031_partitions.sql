-- Partitions by own brand of the tables that grow with every scan (docs/adr/0020-partitions-by-brand.md). A new
-- installation begins with them. An earlier one keeps its tables until the operator lets the service copy them: triggers
-- then repeat every change in the copies, and one transaction exchanges the names.
-- In an installation in use this locks one table, because writers lock them in several orders. A statement that waits for
-- a lock keeps others waiting.
set local lock_timeout = '3s';

alter table unit_sources add column own_brand_id uuid not null default '00000000-0000-0000-0000-000000000000';

-- What `own_brand_id` is in the rows of a brand: zero, and the brand itself once the tables are partitioned. The planner
-- replaces the call by its body, so that one text of a statement reads one partition, or all of a table without them.
create function own_brand_key(brand uuid) returns uuid language sql immutable parallel safe as
$$ select '00000000-0000-0000-0000-000000000000'::uuid $$;

-- How far this installation is.
create table partitioning (
  is_single boolean primary key default true check (is_single),
  -- Number of partitions of each table.
  partitions integer not null check (partitions between 1 and 256),
  -- Since then triggers repeat every change in the copies.
  started_at timestamptz,
  -- Every brand was copied by then. A snapshot that is older than `copied_xid` may not contain all copies.
  copied_at timestamptz,
  copied_xid xid8,
  -- The partitions are in use.
  switched_at timestamptz
);

-- Progress of the copy of each brand.
create table partition_copies (
  brand_id uuid primary key,
  -- The table in progress; null once all are copied.
  table_name text,
  -- Key of its last copied row; null before the first.
  last_key jsonb,
  copied_at timestamptz
);

-- The tables with partitions, in the order of every lock: their own brand, and the other columns of their key.
create function partitioned_tables() returns table (place integer, name text, own_brand text, key text[])
language sql immutable as $$
  values
    (1, 'units', 'brand_id', array['id']),
    (2, 'unit_brands', 'own_brand_id', array['unit_id', 'ordinal']),
    (3, 'unit_sources', 'own_brand_id', array['unit_id', 'position']),
    (4, 'source_days', 'brand_id', array['run_date', 'domain', 'platform', 'country']),
    (5, 'source_pages', 'brand_id', array['domain', 'run_date', 'platform', 'country', 'md5(url)']),
    (6, 'answered_days', 'brand_id', array['run_date', 'platform', 'country']),
    (7, 'cell_days', 'brand_id', array['run_date', 'prompt_id', 'country', 'platform', 'model']),
    (8, 'share_of_voice', 'own_brand_id', array['platform', 'country', 'run_date', 'brand_id']),
    (9, 'scores', 'brand_id', array['country', 'run_date']),
    (10, 'window_scores', 'brand_id', array['country', 'window_days', 'run_date'])
$$;

-- Creates an empty `partitioned_<name>` with its indexes and partitions.
create function create_partitioned_table(name text, partitions integer) returns void language plpgsql as $$
declare
  target text := 'partitioned_' || name;
  own_brand text;
  key text;
begin
  select t.own_brand, t.own_brand || ', ' || array_to_string(t.key, ', ') into strict own_brand, key
  from partitioned_tables() t where t.name = create_partitioned_table.name;
  execute format(
    'create table %I (like %I including defaults including constraints including storage) partition by hash (%I)',
    target, name, own_brand);
  if name = 'source_pages' then
    -- An expression is no part of a primary key.
    execute format('create unique index %I on %I (%s)', target || '_key', target, key);
  else
    execute format('alter table %I add constraint %I primary key (%s)', target, target || '_pkey', key);
  end if;
  if name = 'units' then
    create index partitioned_units_by_brand on partitioned_units (brand_id, run_date desc, finalized_at desc, id desc);
    create index partitioned_units_by_prompt
      on partitioned_units (prompt_id, brand_id, run_date desc, finalized_at desc, id desc);
    create index partitioned_units_by_job on partitioned_units (job_id) where job_id is not null;
    create index partitioned_units_imported on partitioned_units (brand_id, run_date) where job_id is null;
    create index partitioned_units_verified on partitioned_units (brand_id, run_date)
      where mention_method = 'words+llm';
  elsif name = 'share_of_voice' then
    create index partitioned_share_of_voice_by_rank
      on partitioned_share_of_voice (own_brand_id, platform, country, run_date desc, rank, brand_id);
  elsif name in ('unit_brands', 'unit_sources') then
    execute format('alter table %I alter column own_brand_id drop default', target);
  end if;
  for number in 0 .. partitions - 1 loop
    execute format('create table %I partition of %I for values with (modulus %s, remainder %s)',
      name || '_p' || number, target, partitions, number);
    if name = 'units' then
      execute format('create statistics %I (dependencies) on prompt_id, brand_id from %I',
        'units_of_prompt_p' || number, 'units_p' || number);
    end if;
  end loop;
end
$$;

-- Repeats a change of a table in its copy. An updated row that is not copied yet is copied then.
create function repeat_change() returns trigger language plpgsql as $$
declare
  target text := 'partitioned_' || tg_table_name;
  is_same text;
begin
  if tg_op <> 'INSERT' then
    select string_agg(
        format('%s = %s', regexp_replace(part, '(\w+)(\)?)$', 'c.\1\2'), regexp_replace(part, '(\w+)(\)?)$', 'o.\1\2')),
        ' and ')
      into is_same
    from partitioned_tables() t cross join unnest(t.own_brand || t.key) part where t.name = tg_table_name;
    execute format('delete from %I c using old_rows o where %s', target, is_same);
  end if;
  if tg_op = 'DELETE' and tg_table_name = 'units' then
    -- One statement may delete a unit with its brands and sources. Their own triggers no longer find the unit then.
    delete from partitioned_unit_brands b using old_rows o where b.own_brand_id = o.brand_id and b.unit_id = o.id;
    delete from partitioned_unit_sources s using old_rows o where s.own_brand_id = o.brand_id and s.unit_id = o.id;
  end if;
  if tg_op <> 'DELETE' then
    execute format('insert into %I select * from new_rows on conflict do nothing', target);
  end if;
  return null;
end
$$;

-- The same for the rows of units, whose own brand is that of their unit. Looks each unit up: a join may read all units.
create function repeat_change_of_units() returns trigger language plpgsql as $$
declare
  target text := 'partitioned_' || tg_table_name;
  columns text;
begin
  if tg_op <> 'INSERT' then
    execute format(
      'delete from %I c
       using old_rows o cross join lateral (select u.brand_id as own_id from units u where u.id = o.unit_id offset 0) owner
       where c.own_brand_id = owner.own_id and c.unit_id = o.unit_id and c.%2$I = o.%2$I',
      target, case tg_table_name when 'unit_brands' then 'ordinal' else 'position' end);
  end if;
  if tg_op <> 'DELETE' then
    select string_agg(format('%I', attname), ', ' order by attnum) into columns from pg_attribute
    where attrelid = tg_relid and attnum > 0 and not attisdropped and attname <> 'own_brand_id';
    execute format(
      'insert into %I (%s, own_brand_id)
       select %2$s, owner.own_id
       from new_rows n cross join lateral (select u.brand_id as own_id from units u where u.id = n.unit_id offset 0) owner
       on conflict do nothing',
      target, columns);
  end if;
  return null;
end
$$;

-- Adds the triggers. Waits until no writer of an open transaction is left that they would miss.
create function start_partition_copies() returns void language plpgsql as $$
declare
  name text;
  repeats text;
begin
  for name in select t.name from partitioned_tables() t order by t.place loop
    repeats := case when name in ('unit_brands', 'unit_sources') then 'repeat_change_of_units' else 'repeat_change' end;
    execute format('create trigger repeat_insert after insert on %I referencing new table as new_rows
      for each statement execute function %I()', name, repeats);
    execute format('create trigger repeat_update after update on %I
      referencing old table as old_rows new table as new_rows for each statement execute function %I()', name, repeats);
    execute format('create trigger repeat_delete after delete on %I referencing old table as old_rows
      for each statement execute function %I()', name, repeats);
  end loop;
  update partitioning set started_at = clock_timestamp();
end
$$;

-- `md5(url)` with the alias `t` and the way `desc` is `md5(t.url) desc`.
create function qualify(parts text[], alias text, way text default '') returns text language sql immutable as $$
  select string_agg(regexp_replace(part, '(\w+)(\)?)$', alias || '.\1\2 ' || way), ', ' order by place)
  from unnest(parts) with ordinality as each (part, place)
$$;

-- Copies a page of a brand's rows in the order of an index, after the row with the given key; units with their brands and
-- sources. Rows that a trigger has copied stay. The caller holds the lock of the brand's token row.
create function copy_partition_page(name text, brand uuid, after_key jsonb, page_rows integer,
  out copied integer, out last_key jsonb) language plpgsql as $$
declare
  own_brand text;
  sort text[];
  way text := case name when 'units' then 'desc' else 'asc' end;
  reverse text := case name when 'units' then 'asc' else 'desc' end;
  of_units text := '';
  columns text;
  part text;
begin
  select t.own_brand, case t.name when 'units' then array['run_date', 'finalized_at', 'id'] else t.key end
    into strict own_brand, sort
  from partitioned_tables() t where t.name = copy_partition_page.name;
  if name = 'units' then
    foreach part in array array['unit_brands', 'unit_sources'] loop
      select string_agg(format('%I', attname), ', ' order by attnum) into columns from pg_attribute
      where attrelid = part::regclass and attnum > 0 and not attisdropped and attname <> 'own_brand_id';
      of_units := of_units || format(
        ', copied_%1$s as (
           insert into partitioned_%1$s (own_brand_id, %2$s)
           select $1, found.* from page
             cross join lateral (select %2$s from %1$s of_unit where of_unit.unit_id = page.id offset 0) found
           on conflict do nothing)',
        part, columns);
    end loop;
  end if;
  -- Planned at each run: a plan that was made while the copies were almost empty reads all of them.
  execute format(
    'with page as materialized (
       select t.* from %1$I t, jsonb_populate_record(null::%1$I, $3) after_row
       where t.%2$I = $1 %3$s order by %4$s limit $2
     ), copied as (
       insert into partitioned_%1$s select * from page on conflict do nothing
     ) %5$s
     select count(*) over (), jsonb_build_object(%6$s) from page order by %7$s limit 1',
    name, own_brand,
    case when after_key is not null then
      format('and (%s) %s (%s)', qualify(sort, 't'), case way when 'asc' then '>' else '<' end, qualify(sort, 'after_row'))
    end,
    qualify(sort, 't', way),
    of_units,
    (select string_agg(format('%L, page.%I', key, key), ', ')
     from (select regexp_replace(each, '^md5\((\w+)\)$', '\1') as key from unnest(sort) each) keys),
    qualify(sort, 'page', reverse))
  into copied, last_key using brand, page_rows, after_key;
  copied := coalesce(copied, 0);
end
$$;

-- Collects the statistics that the planner needs.
create function analyze_partition(partition regclass) returns void language plpgsql as $$
begin
  execute format('analyze %s', partition);
end
$$;

-- Gives the copies the names of the tables. The former tables stay as `unpartitioned_<name>`.
create function switch_to_partitioned_tables() returns void language plpgsql as $$
declare
  name text;
  index_name text;
begin
  for name in select t.name from partitioned_tables() t order by t.place loop
    execute format('lock table %I, %I in access exclusive mode', name, 'partitioned_' || name);
  end loop;
  for name in select t.name from partitioned_tables() t order by t.place loop
    execute format('drop trigger if exists repeat_insert on %I', name);
    execute format('drop trigger if exists repeat_update on %I', name);
    execute format('drop trigger if exists repeat_delete on %I', name);
    for index_name in select indexrelid::regclass::text from pg_index where indrelid = name::regclass loop
      execute format('alter index %I rename to %I', index_name, 'unpartitioned_' || index_name);
    end loop;
    execute format('alter table %I rename to %I', name, 'unpartitioned_' || name);
    for index_name in
      select indexrelid::regclass::text from pg_index where indrelid = ('partitioned_' || name)::regclass
    loop
      execute format('alter index %I rename to %I', index_name, substr(index_name, length('partitioned_') + 1));
    end loop;
    execute format('alter table %I rename to %I', 'partitioned_' || name, name);
  end loop;
  create or replace function own_brand_key(brand uuid) returns uuid language sql immutable parallel safe as
    'select brand';
  drop trigger scores_unwindowed on unpartitioned_scores;
  create trigger scores_unwindowed after insert or delete or update of computed_at on scores
    for each row execute function add_unwindowed_day();
  update partitioning set switched_at = clock_timestamp();
end
$$;

insert into partitioning (partitions) values (coalesce(nullif(current_setting('results.partitions', true), ''), '32')::int);

do $$
declare
  name text;
begin
  -- With brands, processes of the earlier release may be about to store their first results.
  if exists (select from brands) or exists (select from brand_tokens) or exists (select from units) then
    return;
  end if;
  lock table brands, brand_tokens, units in access exclusive mode;
  if exists (select from brands) or exists (select from brand_tokens) or exists (select from units) then
    return;
  end if;
  for name in select t.name from partitioned_tables() t order by t.place loop
    perform create_partitioned_table(name, (select partitions from partitioning));
  end loop;
  perform switch_to_partitioned_tables();
  for name in select t.name from partitioned_tables() t order by t.place desc loop
    execute format('drop table %I', 'unpartitioned_' || name);
  end loop;
end
$$;
