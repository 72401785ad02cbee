-- Projections: what this service knows of partners, links, organisations and brands. A version is applied only when newer.
create table partners (
  id uuid primary key,
  status text not null check (status in ('active', 'suspended')),
  version bigint not null
);

create table links (
  partner_id uuid not null,
  org_id uuid not null,
  external_ref text,
  active boolean not null,
  version bigint not null,
  primary key (partner_id, org_id)
);
-- Fan-out: the partners an organisation is linked to.
create index links_org on links (org_id) where active;

create table orgs (
  id uuid primary key,
  deleted_at timestamptz,
  version bigint not null
);

create table brands (
  id uuid primary key,
  org_id uuid not null,
  is_own boolean not null,
  version bigint not null
);

create table endpoints (
  id uuid primary key,
  partner_id uuid not null,
  url text not null,
  description text not null,
  status text not null check (status in ('pending_verification', 'active', 'failing', 'disabled')),
  -- Set once and never cleared: an endpoint that was verified before keeps its events while it is verified again.
  verified_at timestamptz,
  -- Raised when the URL changes or the operator steps in: outcomes of older attempts no longer judge the endpoint.
  generation integer not null default 0,
  consecutive_failures integer not null default 0,
  first_failure_at timestamptz,
  last_failure_at timestamptz,
  last_success_at timestamptz,
  -- Circuit breaker.
  breaker_level integer not null default 0,
  breaker_until timestamptz,
  window_started_at timestamptz,
  window_attempts integer not null default 0,
  window_failures integer not null default 0,
  -- When a dispatcher should look at this endpoint next; infinity when nothing waits.
  wake_at timestamptz not null default 'infinity',
  secret_rotated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
-- A partner's list by id, its count, and fan-out.
create index endpoints_partner on endpoints (partner_id, id) where deleted_at is null;
-- Dispatchers take the endpoint that has waited longest.
create index endpoints_wake on endpoints (wake_at) where deleted_at is null;
-- The row is updated with every attempt: room on the page keeps those updates cheap.
alter table endpoints set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- AES-256-GCM under a named key, bound to the endpoint. The current one has no expiry.
create table endpoint_secrets (
  id uuid primary key,
  endpoint_id uuid not null references endpoints (id) on delete cascade,
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz
);
create unique index endpoint_secrets_current on endpoint_secrets (endpoint_id) where expires_at is null;
create index endpoint_secrets_endpoint on endpoint_secrets (endpoint_id);

create table subscriptions (
  id uuid primary key,
  endpoint_id uuid not null references endpoints (id) on delete cascade,
  event_type text not null,
  org_id uuid,
  brand_id uuid,
  threshold double precision,
  direction text check (direction in ('up', 'down', 'both')),
  country text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint subscriptions_equal unique nulls not distinct
    (endpoint_id, event_type, org_id, brand_id, threshold, direction, country)
);
-- The list of an endpoint, oldest first.
create index subscriptions_endpoint on subscriptions (endpoint_id, created_at, id);

create table events (
  -- The webhook-id of every attempt.
  id uuid primary key,
  partner_id uuid not null,
  org_id uuid,
  type text not null,
  -- What makes two events the same: a job, or a crossing of one threshold in one series on one day.
  dedupe_key text not null,
  -- The exact bytes that are signed and sent.
  body text not null,
  created_at timestamptz not null,
  constraint events_once unique (partner_id, dedupe_key)
);
-- Retention.
create index events_created on events (created_at);

create table deliveries (
  id uuid primary key,
  event_id uuid not null references events (id),
  endpoint_id uuid not null references endpoints (id),
  -- No foreign key: deleting a subscription must not rewrite a month of deliveries. Readers join.
  subscription_id uuid,
  partner_id uuid not null,
  org_id uuid,
  event_type text not null,
  is_ping boolean not null,
  status text not null check (status in ('pending', 'delivering', 'succeeded', 'dead')),
  attempts integer not null default 0,
  -- Attempts since the delivery was queued or replayed: the place in the schedule.
  schedule_attempts integer not null default 0,
  next_attempt_at timestamptz,
  lease_token uuid,
  lease_expires_at timestamptz,
  last_status_code integer,
  last_duration_ms integer,
  last_error text,
  last_response_snippet text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint deliveries_once unique (event_id, endpoint_id),
  constraint deliveries_lease check ((status = 'delivering') = (lease_token is not null and lease_expires_at is not null))
);
-- Claim: the due deliveries of one endpoint, pings apart from events.
create index deliveries_due on deliveries (endpoint_id, is_ping, next_attempt_at) where status = 'pending';
-- Attempts that run, by endpoint and by partner, and those whose lease has run out.
create index deliveries_running on deliveries (endpoint_id) where status = 'delivering';
create index deliveries_running_partner on deliveries (partner_id) where status = 'delivering';
create index deliveries_lease_expires on deliveries (lease_expires_at) where status = 'delivering';
-- The delivery log, newest first, with and without the status filter.
create index deliveries_log on deliveries (endpoint_id, created_at desc, id desc);
create index deliveries_log_status on deliveries (endpoint_id, status, created_at desc, id desc);
-- Retention.
create index deliveries_created on deliveries (created_at);
alter table deliveries set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

create table attempts (
  delivery_id uuid not null references deliveries (id) on delete cascade,
  number integer not null,
  -- unknown: the process died or lost its lease; the receiver may have got the event.
  outcome text not null check (outcome in ('running', 'succeeded', 'failed', 'unknown')),
  error text,
  status_code integer,
  duration_ms integer,
  dispatcher text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (delivery_id, number)
);
