-- Deletes the data of an organisation from all schemas, in one transaction. Its id stays, marked as deleted, so that no
-- late event creates it again. Run it as a superuser, after `operator orgs delete` and after the end of its scans:
--   psql --dbname="$ADMIN_DATABASE_URL" --set=org=<org> --file=deploy/sql/delete-organisation.sql
\set ON_ERROR_STOP on
\set QUIET on
begin;
select set_config('bv.org', :'org'::uuid::text, true) as organisation;

do $$
begin
  if not exists (select from catalog.orgs where id = current_setting('bv.org')::uuid and deleted_at is not null) then
    raise exception 'the organisation is unknown or not deleted: run `operator orgs delete` first';
  end if;
  if exists (select from scans.scan_jobs
              where org_id = current_setting('bv.org')::uuid and status in ('queued', 'running')) then
    raise exception 'a scan of the organisation has not ended: wait, then run this again';
  end if;
  if to_regclass('results.unpartitioned_units') is not null then
    raise exception 'the former tables of results hold data: drop them first (docs/operations/partitions.md)';
  end if;
end
$$;

create temporary table org_brands on commit drop as
  select id from catalog.brands where org_id = :'org'
  union select id from results.brands where org_id = :'org'
  union select id from scans.brands where org_id = :'org';
create temporary table org_keys on commit drop as select id from gateway.api_keys where org_id = :'org';

-- Webhooks
create temporary table org_events on commit drop as select id from webhooks.events where org_id = :'org';
delete from webhooks.deliveries where event_id in (select id from org_events) or org_id = :'org';
delete from webhooks.events where id in (select id from org_events);
delete from webhooks.subscriptions where org_id = :'org' or brand_id in (select id from org_brands);
delete from webhooks.threshold_states where brand_id in (select id from org_brands);
delete from webhooks.change_states where brand_id in (select id from org_brands);
delete from webhooks.links where org_id = :'org';
delete from webhooks.brands where org_id = :'org';

-- Results. A trigger of `scores` adds days to `unwindowed_days`, so these come last. It needs the path of its schema.
set local search_path = results, pg_catalog;
-- Writers of results wait, and so does a copy of the tables into partitions.
create temporary table org_tokens on commit drop as
  select brand_id from results.brand_tokens where org_id = :'org' order by brand_id for update;
create temporary table org_units on commit drop as
  select brand_id, id from results.units where org_id = :'org';
create temporary table org_jobs on commit drop as select id from results.reprocess_jobs where org_id = :'org';
delete from results.reprocess_changes where job_id in (select id from org_jobs);
delete from results.reprocess_units where job_id in (select id from org_jobs);
delete from results.reprocess_jobs where id in (select id from org_jobs);
delete from results.unit_sources
  where own_brand_id in (select own_brand_key(id) from org_brands) and unit_id in (select id from org_units);
delete from results.unit_brands
  where own_brand_id in (select own_brand_key(id) from org_brands) and unit_id in (select id from org_units);
delete from results.units u using org_units o where u.brand_id = o.brand_id and u.id = o.id;
delete from results.partition_copies where brand_id in (select id from org_brands);
delete from results.unit_markets where brand_id in (select id from org_brands);
delete from results.source_pages where brand_id in (select id from org_brands);
delete from results.source_days where brand_id in (select id from org_brands);
delete from results.share_of_voice where own_brand_id in (select id from org_brands);
delete from results.window_scores where brand_id in (select id from org_brands);
delete from results.scores where brand_id in (select id from org_brands);
delete from results.cell_days where brand_id in (select id from org_brands);
delete from results.answered_days where brand_id in (select id from org_brands);
delete from results.evaluated_days where brand_id in (select id from org_brands);
delete from results.unscored_days where brand_id in (select id from org_brands);
delete from results.unwindowed_days where brand_id in (select id from org_brands);
delete from results.scans where org_id = :'org';
delete from results.brand_tokens where org_id = :'org';
delete from results.prompts where org_id = :'org';
delete from results.brands where org_id = :'org';
reset search_path;

-- Scans
create temporary table org_scans on commit drop as select id from scans.scan_jobs where org_id = :'org';
delete from scans.processed_operations
  where body #>> '{data,job_id}' in (select id::text from org_scans)
     or body ->> 'job_id' in (select id::text from org_scans);
delete from scans.scan_units where job_id in (select id from org_scans);
delete from scans.scan_jobs where id in (select id from org_scans);
delete from scans.schedule_runs where brand_id in (select id from org_brands);
delete from scans.org_allowances where org_id = :'org';
delete from scans.org_turns where org_id = :'org';
delete from scans.brands where org_id = :'org';

-- Catalog
delete from catalog.operation_progress where brand_id in (select id from org_brands);
delete from catalog.brand_changes where brand_id in (select id from org_brands);
delete from catalog.brand_competitors where org_id = :'org';
delete from catalog.prompts where org_id = :'org';
delete from catalog.prompt_counts where org_id = :'org';
delete from catalog.scan_allowances where org_id = :'org';
delete from catalog.brands where org_id = :'org';
update catalog.orgs set name = 'deleted', overrides = '{}' where id = :'org';

-- Gateway
delete from gateway.idempotency_keys
  where owner_id = :'org' or owner_id in (select partner_id from gateway.partner_links where org_id = :'org');
delete from gateway.quota_leases where key_id in (select id from org_keys);
delete from gateway.api_keys where id in (select id from org_keys);
delete from gateway.partner_links where org_id = :'org';
update gateway.org_access set name = 'deleted' where org_id = :'org';

-- Events and responses of every service that name the organisation, one of its brands or one of its keys
create temporary table names on commit drop as
  select id::text as name from org_brands union select id::text from org_keys union select :'org';
do $$
declare
  service text;
begin
  foreach service in array array['gateway', 'catalog', 'results', 'scans', 'webhooks'] loop
    execute format('delete from %I.outbox using names where strpos(envelope::text, name) > 0', service);
    execute format('delete from %I.dead_events using names where strpos(envelope::text, name) > 0', service);
    execute format('delete from %I.processed_operations using names where strpos(body::text, name) > 0', service);
  end loop;
end
$$;
commit;
\echo the data of the organisation is deleted
