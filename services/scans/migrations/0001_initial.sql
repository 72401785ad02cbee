-- The tables of libs/events. The first migration of every service begins with this text.

-- Events of this service. A row is written in the transaction of the change that it describes.
create table outbox (
  id uuid primary key,
  type text not null,
  aggregate_id text not null,
  version bigint not null,
  envelope jsonb not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  stream_seq bigint,
  -- Number of republications. Each has a new message id, because the stream ignores an id that it received recently.
  republished integer not null default 0
)
-- A sent row is updated once and soon: without this, dead entries accumulate in the index of the unsent ones.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The relay: the oldest unsent rows.
create index outbox_unsent on outbox (created_at) where sent_at is null;
-- Retention and republication.
create index outbox_sent on outbox (sent_at) where sent_at is not null;

-- Handled events, by consumer. A row is written in the transaction of the event's effect.
create table inbox (
  consumer text not null,
  event_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

-- Only retention reads by time. Rows arrive in that order, so a block range index is enough.
create index inbox_received on inbox using brin (received_at) with (autosummarize = on);

-- Failures of a message. They are not its deliveries: one that ends because the database is unavailable is no failure.
create table failed_attempts (
  consumer text not null,
  -- As in dead_letter_events.
  message_id text not null,
  -- Since the message was published, or redriven.
  attempts integer not null,
  last_failed_at timestamptz not null default now(),
  primary key (consumer, message_id)
);

-- Messages that no attempt could handle, one row per consumer and message.
create table dead_letter_events (
  id uuid primary key,
  consumer text not null,
  -- The event's id. Of a message without a readable one: the id that its publisher gave it, or its place in the stream.
  message_id text not null,
  event_id uuid,
  type text not null,
  status text not null default 'dead' check (status in ('dead', 'redriven', 'applied', 'dismissed')),
  envelope jsonb not null,
  error text not null,
  attempts integer not null,
  -- Attempts before the last redrive; `attempts` is the sum.
  prior_attempts integer not null default 0,
  created_at timestamptz not null default now(),
  last_failed_at timestamptz not null default now(),
  redriven_at timestamptz
);

create unique index dead_letter_events_message on dead_letter_events (consumer, message_id);
-- The operator's list, newest first.
create index dead_letter_events_created on dead_letter_events (created_at desc, id desc);

-- Every UUID in an envelope, also within a message that is stored as text because it is no JSON.
create function envelope_ids(envelope jsonb) returns uuid[]
  language sql immutable strict parallel safe
as $$
  select array(
    select distinct found[1]::uuid
    from regexp_matches(envelope::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') found)
$$;

-- A purge finds the messages that name an organisation.
create index dead_letter_events_ids on dead_letter_events using gin (envelope_ids(envelope)) with (fastupdate = off);

-- Organisations whose data is to be deleted, with the number of deleted rows by table.
create table org_purges (
  org_id uuid primary key,
  requested_at timestamptz not null,
  completed_at timestamptz,
  checked_at timestamptz,
  removed jsonb not null default '{}'
);

-- Responses of writes by operation id, so that a retry gets the first one. `body` is json: jsonb would reorder its keys.
create table processed_operations (
  operation_id uuid primary key,
  operation text not null,
  -- As `body`, null only inside the transaction that does the work.
  status int,
  body json,
  created_at timestamptz not null default now()
);

create index processed_operations_created_at_idx on processed_operations (created_at);

-- Projections of catalog's aggregates. `version` is the aggregate's: a row is replaced by a newer one only. Version 0
-- marks a row made from a scan plan, before the first event came.
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
  -- By catalog's clock: shows whether this state or the plan of a job is newer.
  updated_at timestamptz not null,
  -- Second of the UTC day at which the daily scan is due.
  slot_second integer not null check (slot_second between 0 and 86399),
  name text not null,
  domain text not null,
  aliases text[] not null,
  -- {case_sensitive, exclude, verify}
  match jsonb not null,
  -- The competitors linked to an own brand, in the order of linking.
  competitor_ids uuid[] not null,
  version bigint not null
);
create index brands_by_slot on brands (slot_second, id) where is_own and sunset_at is null;
-- A purge.
create index brands_org on brands (org_id);

-- Manual scans used in `month` (its first day), and purchased credits. `version` is that of the published aggregate.
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
  -- The brands of the plan: [{id, name, domain, aliases, isOwn}].
  tracked_brands jsonb not null,
  -- `updated_at` of the brand in the plan, by catalog's clock.
  brand_as_of timestamptz not null,
  charged text not null check (charged in ('allowance', 'credit', 'none')),
  charged_month date,
  queued_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  version bigint not null default 1,
  -- The trace of the request, which the units continue in other processes.
  traceparent text,
  check (units_answered + units_no_answer + units_failed <= units_total)
);
-- One queued or running scan for a brand and day.
create unique index scan_jobs_open on scan_jobs (brand_id, run_date) where status in ('queued', 'running');
-- Ended jobs whose units are due for deletion.
create index scan_jobs_ended on scan_jobs (completed_at) where status not in ('queued', 'running');
-- A purge.
create index scan_jobs_org on scan_jobs (org_id);

create table scan_units (
  id uuid primary key default gen_random_uuid(),
  job_id uuid not null references scan_jobs (id),
  prompt_id uuid not null,
  prompt_text text not null,
  platform text not null,
  country text not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'answered', 'no_answer', 'failed')),
  attempts integer not null default 0,
  -- Of a pending unit when it is due, of a running one when its lease ends.
  next_attempt_at timestamptz not null default clock_timestamp(),
  -- When a worker found the lease ended. After a period of grace the unit is leased again, unless its worker renews the
  -- lease: leases also end while the database is unavailable.
  lease_ended_at timestamptz,
  -- Raised by every lease: a worker that lost its lease cannot write.
  fencing_token bigint not null default 0,
  virtual_time bigint not null default 0,
  cost_usd numeric(12, 6),
  latency_ms integer,
  error_kind text,
  sentiment_method text check (sentiment_method in ('lexicon', 'llm')),
  finalized_at timestamptz,
  unique (job_id, prompt_id, platform, country)
)
-- Every unit is updated at least twice within minutes: without this, dead entries accumulate in the queue's indexes.
with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Running and pending units apart: live leases are counted without reading the queue.
create index scan_units_running on scan_units (platform, next_attempt_at) where status = 'running';
create index scan_units_pending on scan_units (platform, virtual_time, next_attempt_at) where status = 'pending';

-- Its row lock serialises the leases of a platform over all replicas.
create table rate_buckets (
  platform text primary key,
  -- The next permitted start of an attempt.
  next_at timestamptz not null default '-infinity',
  -- The virtual time that the platform's fair queue has reached.
  virtual_time bigint not null default 0
);

-- The last virtual time on a platform that a unit of the organisation has. Organisations alternate, not jobs: one with
-- many jobs would else be served as often as it has jobs.
create table virtual_times (
  org_id uuid not null,
  platform text not null,
  virtual_time bigint not null,
  primary key (org_id, platform)
);

-- Decisions on daily scans, run or not: one for a brand and day.
create table schedule_runs (
  brand_id uuid not null,
  run_date date not null,
  primary key (brand_id, run_date)
);
create index schedule_runs_by_date on schedule_runs (run_date);

-- Cost of the LLM judge in a UTC month. A call adds its estimate before it starts and corrects it at its end, so
-- that the calls of all replicas together stay within the budget.
create table judge_spending (
  -- The first day of the month.
  month date primary key,
  spent_usd numeric(14, 6) not null check (spent_usd >= 0)
);
