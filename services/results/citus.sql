-- Distributes the tables of results over the workers of a Citus cluster, by own brand. Run it as the role of results
-- after every migration; what is distributed stays as it is. All other tables stay on the coordinator.
do $$ begin
  if to_regclass('units_p1') is not null then
    raise 'several partitions would multiply the shards: migrate with RESULTS_PARTITIONS=1';
  end if;
end $$;

select create_distributed_table(name, key, colocate_with => case name when 'brand_tokens' then 'none' else 'brand_tokens' end)
from (values
  (1, 'brand_tokens', 'brand_id'),
  (2, 'units', 'brand_id'),
  (3, 'unit_brands', 'own_brand_id'),
  (4, 'unit_sources', 'own_brand_id'),
  (5, 'unit_markets', 'brand_id'),
  (6, 'unscored_days', 'brand_id'),
  (7, 'source_days', 'brand_id'),
  (8, 'source_pages', 'brand_id'),
  (9, 'answered_days', 'brand_id'),
  (10, 'cell_days', 'brand_id'),
  (11, 'competitor_sets', 'own_brand_id'),
  (12, 'name_days', 'brand_id'),
  (13, 'share_of_voice', 'own_brand_id'),
  (14, 'scores', 'brand_id'),
  (15, 'window_scores', 'brand_id'),
  (16, 'evaluated_days', 'brand_id'),
  (17, 'name_judgements', 'brand_id')
) as distributed (place, name, key)
where not exists (select from pg_dist_partition where logicalrelid = to_regclass(name))
order by place;

-- Without a primary key, a table accepts no writes while its shards move to another worker. It is altered once, because
-- that waits for its writers.
do $$ declare name text; begin
  for name in select relname from pg_class where relnamespace = current_schema::regnamespace
    and relname in ('source_pages_p0', 'name_days_p0') and relreplident <> 'f' loop
    execute format('alter table %I replica identity full', name);
  end loop;
end $$;

-- A statement over several brands uses one connection to each worker. Opening more takes longer than it saves.
alter role current_user set citus.max_adaptive_executor_pool_size = 1;
-- Less than the timeout of statements: otherwise, jobs of brands on a worker that does not reply would fail as if by a bug.
alter role current_user set citus.node_connection_timeout = 3000;

-- Sessions on workers: Citus sends settings of the role to every server, and no others of a session than its `set local`.
alter role current_user set jit = off;
alter role current_user set TimeZone = 'UTC';
alter role current_user set citus.propagate_set_commands = 'local';
