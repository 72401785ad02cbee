-- without transaction
-- A purge finds the rows of an organisation by these. A failure leaves an invalid index.
drop index concurrently if exists scan_jobs_org;
create index concurrently scan_jobs_org on scan_jobs (org_id);
drop index concurrently if exists brands_org;
create index concurrently brands_org on brands (org_id);
