-- The steps of the partitioning that lock tables in use. They wait a limited time in all, not for each lock.

-- Locks tables in this order, and not their partitions. Waits at most `wait_ms` for all of them.
create function lock_tables(names text[], mode text, wait_ms double precision) returns void language plpgsql as $$
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

-- Locks tables in use. Transactions lock these tables in several orders, so each may wait for the other. This one gives
-- up first: before a deadlock is looked for, it has ended its wait.
create function lock_tables_in_use(names text[], mode text) returns void language plpgsql as $$
begin
  -- Ends autovacuum of the tables, and keeps it away. No statement of the service waits for this mode, or behind it.
  perform lock_tables(names, 'share update exclusive', 4000);
  perform lock_tables(names, mode,
    least(500, (select setting::integer / 2 from pg_settings where pg_settings.name = 'deadlock_timeout')));
end
$$;

-- Adds the triggers. Waits until no writer of an open transaction is left that they would miss.
create or replace function start_partition_copies() returns void language plpgsql as $$
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

-- Gives the copies the names of the tables. The former tables stay as `unpartitioned_<name>`.
create or replace function switch_to_partitioned_tables() returns void language plpgsql as $$
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

-- Removes the copies before the switch. Drops table by table, because a transaction can hold a limited number of locks.
-- Until it ends, the names of the partitions are in use: no new copies begin.
create procedure remove_partition_copies() language plpgsql as $$
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
