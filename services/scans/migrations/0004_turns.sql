-- Jobs take turns on a platform: a job's first unit there has the turn the lane has come to, every further one the
-- next. A small job queued behind a large one is so served alongside it.
alter table platform_lanes add column turn bigint not null default 0;
alter table scan_units add column turn bigint not null default 0;

-- What is at work and what waits apart: the room of a lane is counted without looking at what waits.
drop index scan_units_due;
create index scan_units_running on scan_units (platform, next_attempt_at) where status = 'running';
create index scan_units_pending on scan_units (platform, turn, next_attempt_at) where status = 'pending';
