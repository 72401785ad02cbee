-- Days with imported units that their scores do not know of yet. A row is written with the units and deleted with the
-- scores, so that neither a broken import nor the end of its process leaves a day unscored.
create table unscored_days (
  brand_id uuid not null,
  run_date date not null,
  primary key (brand_id, run_date)
);

-- The summary's question whether a scan is under way, without reading a brand's past scans.
create index scans_in_progress on scans (brand_id) where status in ('queued', 'running');
