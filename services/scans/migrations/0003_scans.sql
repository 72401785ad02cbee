-- Projections of catalog's aggregates; `version` is the aggregate's, a row is replaced by a newer one only.
-- Version 0 marks a row made from a scan plan, before the first event came.
create table orgs (
  id uuid primary key,
  tier text not null,
  on_demand_scans boolean not null,
  -- Null is unlimited.
  manual_scans integer,
  deleted_at timestamptz,
  version bigint not null
);

create table brands (
  id uuid primary key,
  org_id uuid not null,
  is_own boolean not null,
  sunset_at timestamptz,
  created_at timestamptz not null,
  -- Catalog's clock: tells whether this state or a job's plan is the newer one.
  updated_at timestamptz not null,
  -- Second of the UTC day at which the daily scan is due.
  slot_second integer not null check (slot_second between 0 and 86399),
  version bigint not null
);
create index brands_by_slot on brands (slot_second, id) where is_own and sunset_at is null;

-- Manual scans used in `month` (its first day) and purchased credits. `version` is the aggregate's that is published.
create table org_allowances (
  org_id uuid primary key,
  month date not null,
  used integer not null default 0 check (used >= 0),
  credits integer not null default 0 check (credits >= 0),
  version bigint not null default 0
);

create table scan_jobs (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null,
  brand_id uuid not null,
  status text not null default 'queued'
    check (status in ('queued', 'running', 'completed', 'partial', 'failed', 'cancelled')),
  trigger text not null check (trigger in ('manual', 'scheduled')),
  run_date date not null,
  idempotency_key text not null,
  units_total integer not null check (units_total > 0),
  units_answered integer not null default 0,
  units_no_answer integer not null default 0,
  units_failed integer not null default 0,
  platforms text[] not null,
  countries text[] not null,
  -- The brands to look for, as they were when the scan was planned: [{id, name, domain, aliases, isOwn}].
  tracked_brands jsonb not null,
  -- `updated_at` of the brand in the plan, by catalog's clock.
  brand_as_of timestamptz not null,
  charged text not null check (charged in ('allowance', 'credit', 'none')),
  charged_month date,
  queued_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  version bigint not null default 1,
  check (units_answered + units_no_answer + units_failed <= units_total)
);
-- One scan queued or running for a brand and day, whoever asks.
create unique index scan_jobs_open on scan_jobs (brand_id, run_date) where status in ('queued', 'running');
-- Ended jobs whose units are due to be forgotten.
create index scan_jobs_ended on scan_jobs (completed_at) where status not in ('queued', 'running');

-- The queue. `next_attempt_at` is when a pending unit is due and when a running unit's lease ends: one index finds both.
create table scan_units (
  id uuid primary key default gen_random_uuid(),
  job_id uuid not null references scan_jobs (id),
  prompt_id uuid not null,
  prompt_text text not null,
  platform text not null,
  country text not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'answered', 'no_answer', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  -- Raised by every claim: a worker whose lease was lost cannot write.
  fence bigint not null default 0,
  cost_usd numeric(12, 6),
  latency_ms integer,
  error_kind text,
  finalized_at timestamptz,
  unique (job_id, prompt_id, platform, country)
);
create index scan_units_due on scan_units (platform, next_attempt_at) where status in ('pending', 'running');
-- Every unit is updated at least twice within minutes; without this, dead entries pile up in the queue's index.
alter table scan_units set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Its row lock puts the claims of a platform in a row, over all replicas; `next_at` is its pace.
create table platform_lanes (
  platform text primary key,
  next_at timestamptz not null default '-infinity'
);

-- A daily scan was decided on, run or not: once a brand and day.
create table schedule_runs (
  brand_id uuid not null,
  run_date date not null,
  primary key (brand_id, run_date)
);
create index schedule_runs_by_date on schedule_runs (run_date);
