-- Jobs that read the stored answers of a brand again with its current identity.
create table reprocess_jobs (
  id uuid primary key,
  org_id uuid not null,
  brand_id uuid not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  from_date date not null,
  to_date date not null,
  -- Jobs of the operator, for every brand, wait for those of clients.
  by_operator boolean not null,
  -- The days after it are done.
  next_day date not null,
  -- Whether the window is done, and only days that got units meanwhile are read once more.
  is_catching_up boolean not null default false,
  -- Of the brands that are searched for; null before the first day. A different one begins the job again.
  identity_hash text,
  -- When the days began to be read with this identity.
  identity_since timestamptz,
  units_total integer not null default 0,
  units_done integer not null default 0,
  units_changed integer not null default 0,
  queued_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  -- When the job was leased first, or its last day was done.
  progressed_at timestamptz,
  completed_at timestamptz,
  -- Fencing token: grows with each lease, and every write of a worker names it.
  lease_token bigint not null default 0,
  -- A worker may lease an open job from then on.
  leased_until timestamptz not null default clock_timestamp(),
  -- Leases since the last day that was done.
  attempts integer not null default 0,
  request_id text not null,
  traceparent text
);
create unique index reprocess_jobs_open on reprocess_jobs (brand_id) where status in ('queued', 'running');
create index reprocess_jobs_queue on reprocess_jobs (by_operator, queued_at, id)
  where status in ('queued', 'running');
create index reprocess_jobs_ended on reprocess_jobs (completed_at) where completed_at is not null;

-- Units of the day in progress that a lease has read.
create table reprocess_units (
  job_id uuid not null,
  lease_token bigint not null,
  unit_id uuid not null,
  -- Version of the row that was read. A unit that was deleted and imported again has another one.
  unit_xmin xid not null,
  -- What replaces the unit's brands; null if they stay as they are.
  replacement jsonb,
  -- Hashes of what clients see before and after; null without a replacement.
  hash_before text,
  hash_after text,
  primary key (job_id, lease_token, unit_id)
);

-- Units that an open job has replaced, with hashes of their results before its first and after its last replacement: a
-- job that begins again must count each unit once.
create table reprocess_changes (
  job_id uuid not null,
  unit_id uuid not null,
  hash_before text not null,
  hash_after text not null,
  primary key (job_id, unit_id)
);
