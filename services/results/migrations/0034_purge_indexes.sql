-- without transaction
-- A purge finds the rows of an organisation by these. A failure leaves an invalid index.
drop index concurrently if exists brands_org;
create index concurrently brands_org on brands (org_id);
drop index concurrently if exists brand_tokens_org;
create index concurrently brand_tokens_org on brand_tokens (org_id);
drop index concurrently if exists prompts_org;
create index concurrently prompts_org on prompts (org_id);
drop index concurrently if exists scans_org;
create index concurrently scans_org on scans (org_id);
drop index concurrently if exists reprocess_jobs_org;
create index concurrently reprocess_jobs_org on reprocess_jobs (org_id);
