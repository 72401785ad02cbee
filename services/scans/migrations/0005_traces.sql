-- The trace of the request that queued the job: its units, which other processes work on later, continue it.
alter table scan_jobs add column traceparent text;
