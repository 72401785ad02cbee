CREATE FUNCTION results.add_unwindowed_day() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  score scores%rowtype;
begin
  if tg_op = 'DELETE' then
    score := old;
  else
    score := new;
  end if;
  if score.country = '' then
    insert into unwindowed_days (brand_id, run_date) values (score.brand_id, score.run_date) on conflict do nothing;
  end if;
  return null;
end
$$;
CREATE FUNCTION results.analyze_partition(partition regclass) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  execute format('analyze %s', partition);
end
$$;
CREATE FUNCTION results.copy_partition_page(name text, brand uuid, after_key jsonb, page_rows integer, OUT copied integer, OUT last_key jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $_$
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
$_$;
CREATE FUNCTION results.create_partitioned_table(name text, partitions integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION results.envelope_ids(envelope jsonb) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select array(
    select distinct found[1]::uuid
    from regexp_matches(envelope::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') found)
$$;
CREATE FUNCTION results.lock_tables(names text[], mode text, wait_ms double precision) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  deadline timestamptz := clock_timestamp() + make_interval(secs => wait_ms / 1000);
  name text;
begin
  foreach name in array names loop
    perform set_config('lock_timeout',
      greatest(1, ceil(extract(epoch from deadline - clock_timestamp()) * 1000))::integer::text, true);
    execute format('lock table only %I in %s mode', name, mode);
  end loop;
end
$$;
CREATE FUNCTION results.lock_tables_in_use(names text[], mode text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  -- Ends autovacuum of the tables, and keeps it away. No statement of the service waits for this mode, or behind it.
  perform lock_tables(names, 'share update exclusive', 4000);
  perform lock_tables(names, mode,
    least(500, (select setting::integer / 2 from pg_settings where pg_settings.name = 'deadlock_timeout')));
end
$$;
CREATE FUNCTION results.own_brand_key(brand uuid) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$select brand$$;
CREATE FUNCTION results.partitioned_tables() RETURNS TABLE(place integer, name text, own_brand text, key text[])
    LANGUAGE sql IMMUTABLE
    AS $$
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
CREATE FUNCTION results.qualify(parts text[], alias text, way text DEFAULT ''::text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
  select string_agg(regexp_replace(part, '(\w+)(\)?)$', alias || '.\1\2 ' || way), ', ' order by place)
  from unnest(parts) with ordinality as each (part, place)
$_$;
CREATE PROCEDURE results.remove_partition_copies()
    LANGUAGE plpgsql
    AS $$
declare
  name text;
begin
  perform from partitioning where switched_at is null for update;
  if found then
    perform lock_tables_in_use(array(select t.name from partitioned_tables() t order by t.place), 'access exclusive');
    for name in select t.name from partitioned_tables() t order by t.place loop
      execute format('drop trigger if exists repeat_insert on %I', name);
      execute format('drop trigger if exists repeat_update on %I', name);
      execute format('drop trigger if exists repeat_delete on %I', name);
      execute format('alter table if exists %I rename to %I', 'partitioned_' || name, 'removed_' || name);
    end loop;
    delete from partition_copies;
    update partitioning set started_at = null, copied_at = null, copied_xid = null;
  end if;
  commit;
  for name in select t.name from partitioned_tables() t order by t.place desc loop
    execute format('drop table if exists %I', 'removed_' || name);
    commit;
  end loop;
end
$$;
CREATE FUNCTION results.repeat_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
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
$_$;
CREATE FUNCTION results.repeat_change_of_units() RETURNS trigger
    LANGUAGE plpgsql
    AS $_$
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
$_$;
CREATE FUNCTION results.set_dead_event_message() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.message_id := coalesce(new.event_id::text, 'row:' || new.id);
  update dead_events d set
    status = 'dead',
    error = new.error,
    attempts = greatest(d.attempts, d.prior_attempts + new.attempts),
    last_failed_at = now(),
    redriven_at = null
  where d.consumer = new.consumer and d.message_id = new.message_id;
  if found then
    return null;
  end if;
  return new;
end
$$;
CREATE FUNCTION results.start_partition_copies() RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  name text;
  repeats text;
begin
  perform lock_tables_in_use(array(select t.name from partitioned_tables() t order by t.place), 'share row exclusive');
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
CREATE FUNCTION results.switch_to_partitioned_tables() RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  name text;
  index_name text;
begin
  -- A trigger is added to each partition of scores.
  perform lock_tables(array(
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'partitioned_scores'::regclass order by i.inhrelid), 'share update exclusive', 4000);
  perform lock_tables_in_use(
    array(select t.name from partitioned_tables() t order by t.place)
      || array(select 'partitioned_' || t.name from partitioned_tables() t order by t.place),
    'access exclusive');
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
CREATE TABLE results.answered_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    units_answered integer NOT NULL,
    stored_at timestamp with time zone DEFAULT clock_timestamp()
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.brand_tokens (
    brand_id uuid NOT NULL,
    org_id uuid NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    version bigint NOT NULL,
    finalising_until timestamp with time zone,
    units_from date,
    texts_from date,
    units_removed_before date,
    texts_removed_before date,
    last_verified_day date
);
CREATE TABLE results.brands (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    name text NOT NULL,
    domain text NOT NULL,
    is_own boolean NOT NULL,
    external_ref text,
    geography text NOT NULL,
    sunset_at timestamp with time zone,
    competitor_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    version bigint NOT NULL,
    aliases text[],
    match jsonb,
    identity_version bigint
);
CREATE TABLE results.cell_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL,
    prompt_id uuid NOT NULL,
    country text NOT NULL,
    platform text NOT NULL,
    model text NOT NULL,
    units_total integer NOT NULL,
    units_answered integer NOT NULL,
    units_mentioned integer NOT NULL,
    units_cited integer NOT NULL,
    unit_score_sum double precision NOT NULL,
    position_sum integer NOT NULL,
    sentiment_sum numeric(14,2) NOT NULL,
    sentiment_count integer NOT NULL
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.dead_events (
    id uuid NOT NULL,
    consumer text NOT NULL,
    event_id uuid,
    type text NOT NULL,
    envelope jsonb NOT NULL,
    error text NOT NULL,
    attempts integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    redriven_at timestamp with time zone,
    message_id text NOT NULL,
    status text DEFAULT 'dead'::text NOT NULL,
    prior_attempts integer DEFAULT 0 NOT NULL,
    last_failed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT dead_events_status_check CHECK ((status = ANY (ARRAY['dead'::text, 'redriven'::text, 'applied'::text, 'dismissed'::text])))
);
CREATE TABLE results.evaluated_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL,
    change_verdict text NOT NULL,
    CONSTRAINT evaluated_days_change_verdict_check CHECK ((change_verdict = ANY (ARRAY['up'::text, 'down'::text, 'no_evidence'::text, 'not_comparable'::text])))
);
CREATE TABLE results.failed_attempts (
    consumer text NOT NULL,
    message_id text NOT NULL,
    attempts integer NOT NULL,
    last_failed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE results.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE results.org_purges (
    org_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    checked_at timestamp with time zone,
    removed jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE results.orgs (
    id uuid NOT NULL,
    answer_text_days integer,
    unit_days integer,
    deleted_at timestamp with time zone,
    version bigint NOT NULL
);
CREATE TABLE results.outbox (
    id uuid NOT NULL,
    type text NOT NULL,
    aggregate_id text NOT NULL,
    version bigint NOT NULL,
    envelope jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone,
    stream_seq bigint,
    republished integer DEFAULT 0 NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
CREATE TABLE results.partition_copies (
    brand_id uuid NOT NULL,
    table_name text,
    last_key jsonb,
    copied_at timestamp with time zone
);
CREATE TABLE results.partitioning (
    is_single boolean DEFAULT true NOT NULL,
    partitions integer NOT NULL,
    started_at timestamp with time zone,
    copied_at timestamp with time zone,
    copied_xid xid8,
    switched_at timestamp with time zone,
    CONSTRAINT partitioning_is_single_check CHECK (is_single),
    CONSTRAINT partitioning_partitions_check CHECK (((partitions >= 1) AND (partitions <= 256)))
);
CREATE TABLE results.processed_operations (
    operation_id uuid NOT NULL,
    operation text NOT NULL,
    status integer,
    body json,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE results.prompts (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    active boolean NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE results.reprocess_changes (
    job_id uuid NOT NULL,
    unit_id uuid NOT NULL,
    hash_before text NOT NULL,
    hash_after text NOT NULL
);
CREATE TABLE results.reprocess_jobs (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    from_date date NOT NULL,
    to_date date NOT NULL,
    by_operator boolean NOT NULL,
    next_day date NOT NULL,
    is_catching_up boolean DEFAULT false NOT NULL,
    identity_hash text,
    identity_since timestamp with time zone,
    units_total integer DEFAULT 0 NOT NULL,
    units_done integer DEFAULT 0 NOT NULL,
    units_changed integer DEFAULT 0 NOT NULL,
    queued_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    progressed_at timestamp with time zone,
    completed_at timestamp with time zone,
    lease_token bigint DEFAULT 0 NOT NULL,
    leased_until timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    request_id text NOT NULL,
    traceparent text,
    restarts integer DEFAULT 0 NOT NULL,
    CONSTRAINT reprocess_jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text])))
);
CREATE TABLE results.reprocess_units (
    job_id uuid NOT NULL,
    lease_token bigint NOT NULL,
    unit_id uuid NOT NULL,
    unit_xmin xid NOT NULL,
    replacement jsonb,
    hash_before text,
    hash_after text
);
CREATE TABLE results.scans (
    job_id uuid NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    status text NOT NULL,
    trigger text NOT NULL,
    run_date date NOT NULL,
    units_total integer NOT NULL,
    units_answered integer NOT NULL,
    units_no_answer integer NOT NULL,
    units_failed integer NOT NULL,
    platforms text[] NOT NULL,
    countries text[] NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    version bigint NOT NULL,
    scored_at timestamp with time zone,
    finalising_until timestamp with time zone
);
CREATE TABLE results.schema_migrations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);
CREATE SEQUENCE results.schema_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE results.schema_migrations_id_seq OWNED BY results.schema_migrations.id;
CREATE TABLE results.scores (
    brand_id uuid NOT NULL,
    country text NOT NULL,
    run_date date NOT NULL,
    score numeric(5,2),
    mention_rate numeric(5,2),
    mention_rate_low numeric(5,2),
    mention_rate_high numeric(5,2),
    average_position numeric(8,2),
    sentiment numeric(5,2),
    citation_rate numeric(5,2),
    share_of_voice numeric(5,2),
    units_total integer NOT NULL,
    units_answered integer NOT NULL,
    units_mentioned integer NOT NULL,
    units_cited integer NOT NULL,
    position_sum integer NOT NULL,
    sentiment_sum numeric(14,2) NOT NULL,
    sentiment_count integer NOT NULL,
    platforms jsonb NOT NULL,
    method_version text NOT NULL,
    computed_at timestamp with time zone NOT NULL,
    models jsonb,
    prompts_measured integer
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.share_of_voice (
    own_brand_id uuid NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    run_date date NOT NULL,
    brand_id uuid NOT NULL,
    name text NOT NULL,
    domain text NOT NULL,
    is_own boolean NOT NULL,
    share_of_voice numeric(5,2),
    mentions integer NOT NULL,
    total_mentions integer NOT NULL,
    units_answered integer NOT NULL,
    mention_rate numeric(5,2),
    average_position numeric(8,2),
    rank integer NOT NULL
)
PARTITION BY HASH (own_brand_id);
CREATE TABLE results.source_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL,
    domain text NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    citations integer NOT NULL,
    units_cited integer NOT NULL,
    units_mentioned integer NOT NULL
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.source_pages (
    brand_id uuid NOT NULL,
    domain text NOT NULL,
    run_date date NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    url text NOT NULL,
    title text,
    citations integer NOT NULL
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.unit_brands (
    unit_id uuid NOT NULL,
    ordinal integer NOT NULL,
    brand_id uuid NOT NULL,
    name text NOT NULL,
    domain text NOT NULL,
    is_own boolean NOT NULL,
    mentioned boolean NOT NULL,
    mention_count integer NOT NULL,
    "position" integer,
    sentiment numeric(5,2),
    cited boolean NOT NULL,
    evidence integer[],
    means_brand boolean,
    own_brand_id uuid NOT NULL
)
PARTITION BY HASH (own_brand_id);
CREATE TABLE results.unit_markets (
    brand_id uuid NOT NULL,
    platform text NOT NULL,
    country text NOT NULL
);
CREATE TABLE results.unit_sources (
    unit_id uuid NOT NULL,
    "position" integer NOT NULL,
    url text NOT NULL,
    domain text NOT NULL,
    title text,
    cited boolean NOT NULL,
    own_brand_id uuid NOT NULL
)
PARTITION BY HASH (own_brand_id);
CREATE TABLE results.units (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    job_id uuid,
    platform text NOT NULL,
    country text NOT NULL,
    run_date date NOT NULL,
    finalized_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    mentioned boolean NOT NULL,
    "position" integer,
    sentiment numeric(5,2),
    cited boolean NOT NULL,
    answer_text text,
    answer_truncated boolean NOT NULL,
    model text,
    search_used boolean,
    localization text NOT NULL,
    search_queries text[] NOT NULL,
    sentiment_method text,
    mention_method text,
    method_version text,
    CONSTRAINT units_check CHECK ((mentioned = ("position" IS NOT NULL))),
    CONSTRAINT units_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'no_answer'::text])))
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.unscored_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL
);
CREATE TABLE results.unwindowed_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL
);
CREATE TABLE results.window_scores (
    brand_id uuid NOT NULL,
    country text NOT NULL,
    window_days smallint NOT NULL,
    run_date date NOT NULL,
    score numeric(5,2),
    mention_rate numeric(5,2),
    mention_rate_low numeric(5,2),
    mention_rate_high numeric(5,2),
    average_position numeric(8,2),
    sentiment numeric(5,2),
    citation_rate numeric(5,2),
    share_of_voice numeric(5,2),
    units_total integer NOT NULL,
    units_answered integer NOT NULL,
    units_mentioned integer NOT NULL,
    units_cited integer NOT NULL,
    units_effective numeric(12,2) NOT NULL,
    position_sum bigint NOT NULL,
    sentiment_sum numeric(16,2) NOT NULL,
    sentiment_count integer NOT NULL,
    platforms jsonb NOT NULL,
    models jsonb NOT NULL,
    prompts_measured integer NOT NULL,
    method_version text NOT NULL,
    computed_at timestamp with time zone NOT NULL,
    CONSTRAINT window_scores_window_days_check CHECK ((window_days = ANY (ARRAY[7, 28])))
)
PARTITION BY HASH (brand_id);
ALTER TABLE ONLY results.schema_migrations ALTER COLUMN id SET DEFAULT nextval('results.schema_migrations_id_seq'::regclass);
ALTER TABLE ONLY results.answered_days
    ADD CONSTRAINT answered_days_pkey PRIMARY KEY (brand_id, run_date, platform, country);
ALTER TABLE ONLY results.brand_tokens
    ADD CONSTRAINT brand_tokens_pkey PRIMARY KEY (brand_id);
ALTER TABLE ONLY results.brands
    ADD CONSTRAINT brands_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.cell_days
    ADD CONSTRAINT cell_days_pkey PRIMARY KEY (brand_id, run_date, prompt_id, country, platform, model);
ALTER TABLE ONLY results.dead_events
    ADD CONSTRAINT dead_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.evaluated_days
    ADD CONSTRAINT evaluated_days_pkey PRIMARY KEY (brand_id, run_date);
ALTER TABLE ONLY results.failed_attempts
    ADD CONSTRAINT failed_attempts_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY results.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY results.org_purges
    ADD CONSTRAINT org_purges_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY results.orgs
    ADD CONSTRAINT orgs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.partition_copies
    ADD CONSTRAINT partition_copies_pkey PRIMARY KEY (brand_id);
ALTER TABLE ONLY results.partitioning
    ADD CONSTRAINT partitioning_pkey PRIMARY KEY (is_single);
ALTER TABLE ONLY results.processed_operations
    ADD CONSTRAINT processed_operations_pkey PRIMARY KEY (operation_id);
ALTER TABLE ONLY results.prompts
    ADD CONSTRAINT prompts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.reprocess_changes
    ADD CONSTRAINT reprocess_changes_pkey PRIMARY KEY (job_id, unit_id);
ALTER TABLE ONLY results.reprocess_jobs
    ADD CONSTRAINT reprocess_jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.reprocess_units
    ADD CONSTRAINT reprocess_units_pkey PRIMARY KEY (job_id, lease_token, unit_id);
ALTER TABLE ONLY results.scans
    ADD CONSTRAINT scans_pkey PRIMARY KEY (job_id);
ALTER TABLE ONLY results.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.scores
    ADD CONSTRAINT scores_pkey PRIMARY KEY (brand_id, country, run_date);
ALTER TABLE ONLY results.share_of_voice
    ADD CONSTRAINT share_of_voice_pkey PRIMARY KEY (own_brand_id, platform, country, run_date, brand_id);
ALTER TABLE ONLY results.source_days
    ADD CONSTRAINT source_days_pkey PRIMARY KEY (brand_id, run_date, domain, platform, country);
ALTER TABLE ONLY results.unit_brands
    ADD CONSTRAINT unit_brands_pkey PRIMARY KEY (own_brand_id, unit_id, ordinal);
ALTER TABLE ONLY results.unit_markets
    ADD CONSTRAINT unit_markets_pkey PRIMARY KEY (brand_id, country, platform);
ALTER TABLE ONLY results.unit_sources
    ADD CONSTRAINT unit_sources_pkey PRIMARY KEY (own_brand_id, unit_id, "position");
ALTER TABLE ONLY results.units
    ADD CONSTRAINT units_pkey PRIMARY KEY (brand_id, id);
ALTER TABLE ONLY results.unscored_days
    ADD CONSTRAINT unscored_days_pkey PRIMARY KEY (brand_id, run_date);
ALTER TABLE ONLY results.unwindowed_days
    ADD CONSTRAINT unwindowed_days_pkey PRIMARY KEY (brand_id, run_date);
ALTER TABLE ONLY results.window_scores
    ADD CONSTRAINT window_scores_pkey PRIMARY KEY (brand_id, country, window_days, run_date);
CREATE INDEX brand_tokens_org ON results.brand_tokens USING btree (org_id);
CREATE INDEX brands_by_competitor ON results.brands USING gin (competitor_ids);
CREATE INDEX brands_org ON results.brands USING btree (org_id);
CREATE INDEX brands_own_by_org ON results.brands USING btree (org_id, id) WHERE (is_own AND (sunset_at IS NULL));
CREATE INDEX dead_events_created ON results.dead_events USING btree (created_at DESC, id DESC);
CREATE INDEX dead_events_ids ON results.dead_events USING gin (results.envelope_ids(envelope)) WITH (fastupdate=off);
CREATE UNIQUE INDEX dead_events_message ON results.dead_events USING btree (consumer, message_id);
CREATE UNIQUE INDEX dead_events_open ON results.dead_events USING btree (consumer, event_id) WHERE (redriven_at IS NULL);
CREATE INDEX inbox_received ON results.inbox USING brin (received_at) WITH (autosummarize='on');
CREATE INDEX outbox_sent ON results.outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);
CREATE INDEX outbox_unsent ON results.outbox USING btree (created_at) WHERE (sent_at IS NULL);
CREATE INDEX processed_operations_created_at_idx ON results.processed_operations USING btree (created_at);
CREATE INDEX prompts_active_by_brand ON results.prompts USING btree (brand_id) WHERE active;
CREATE INDEX prompts_org ON results.prompts USING btree (org_id);
CREATE INDEX reprocess_jobs_ended ON results.reprocess_jobs USING btree (completed_at) WHERE (completed_at IS NOT NULL);
CREATE UNIQUE INDEX reprocess_jobs_open ON results.reprocess_jobs USING btree (brand_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX reprocess_jobs_org ON results.reprocess_jobs USING btree (org_id);
CREATE INDEX reprocess_jobs_turns ON results.reprocess_jobs USING btree (by_operator, leased_until, id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX scans_by_brand ON results.scans USING btree (brand_id, queued_at DESC);
CREATE INDEX scans_finalising ON results.scans USING btree (brand_id) WHERE (finalising_until IS NOT NULL);
CREATE INDEX scans_in_progress ON results.scans USING btree (brand_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX scans_org ON results.scans USING btree (org_id);
CREATE INDEX share_of_voice_by_rank ON ONLY results.share_of_voice USING btree (own_brand_id, platform, country, run_date DESC, rank, brand_id);
CREATE UNIQUE INDEX source_pages_key ON ONLY results.source_pages USING btree (brand_id, domain, run_date, platform, country, md5(url));
CREATE INDEX units_by_brand ON ONLY results.units USING btree (brand_id, run_date DESC, finalized_at DESC, id DESC);
CREATE INDEX units_by_job ON ONLY results.units USING btree (job_id) WHERE (job_id IS NOT NULL);
CREATE INDEX units_by_prompt ON ONLY results.units USING btree (prompt_id, brand_id, run_date DESC, finalized_at DESC, id DESC);
CREATE INDEX units_imported ON ONLY results.units USING btree (brand_id, run_date) WHERE (job_id IS NULL);
CREATE INDEX units_verified ON ONLY results.units USING btree (brand_id, run_date) WHERE (mention_method = 'words+llm'::text);
CREATE TRIGGER dead_events_without_message BEFORE INSERT ON results.dead_events FOR EACH ROW WHEN ((new.message_id IS NULL)) EXECUTE FUNCTION results.set_dead_event_message();
CREATE TRIGGER scores_unwindowed AFTER INSERT OR DELETE OR UPDATE OF computed_at ON results.scores FOR EACH ROW EXECUTE FUNCTION results.add_unwindowed_day();
