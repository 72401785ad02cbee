-- How often a job began again because its brand had changed.
alter table reprocess_jobs add column restarts integer not null default 0;

-- The job whose last turn ended first is leased next.
create index reprocess_jobs_turns on reprocess_jobs (by_operator, leased_until, id)
  where status in ('queued', 'running');
drop index reprocess_jobs_queue;
