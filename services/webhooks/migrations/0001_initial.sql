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

-- Projections of partners, links, organisations and brands. A row is replaced by a newer version only.
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
-- Fan-out: the partners that an organisation is linked to.
create index links_org on links (org_id) where active;
-- A purge.
create index links_by_org on links (org_id);

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
-- A purge.
create index brands_org on brands (org_id);

create table endpoints (
  id uuid primary key,
  partner_id uuid not null,
  url text not null,
  description text not null,
  status text not null check (status in ('pending_verification', 'active', 'failing', 'disabled')),
  -- Set once and never cleared: an endpoint that was verified before keeps its events while it is verified again.
  verified_at timestamptz,
  -- Raised by a new URL and by the operator: outcomes of earlier attempts no longer change the endpoint's state.
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
  -- The earliest time at which a dispatcher can lease a delivery; infinity if none waits.
  next_lease_at timestamptz not null default 'infinity',
  secret_rotated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
)
-- The row is updated with every attempt: room on the page keeps these updates cheap.
with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- A partner's list by id, its count, and fan-out.
create index endpoints_partner on endpoints (partner_id, id) where deleted_at is null;
-- Dispatchers lease from the endpoint that has waited longest.
create index endpoints_next_lease on endpoints (next_lease_at) where deleted_at is null;

-- AES-256-GCM under a named key, bound to the endpoint. The current secret has no expiry.
create table endpoint_secrets (
  id uuid primary key,
  endpoint_id uuid not null references endpoints (id) on delete cascade,
  ciphertext text not null,
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
  -- Null where the event type has no such member, as the columns below.
  threshold double precision,
  direction text check (direction in ('up', 'down', 'both')),
  country text,
  metric text check (metric in ('score', 'mention_rate', 'sentiment', 'citation_rate')),
  window_days integer check (window_days in (7, 28)),
  confidence double precision check (confidence in (0.95, 0.99, 0.999, 0.9999)),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint subscriptions_equal unique nulls not distinct
    (endpoint_id, event_type, org_id, brand_id, threshold, direction, country, metric, window_days, confidence)
);
-- The list of an endpoint, oldest first.
create index subscriptions_endpoint on subscriptions (endpoint_id, created_at, id);
-- A purge.
create index subscriptions_org on subscriptions (org_id) where org_id is not null;

create table events (
  -- The webhook-id of every attempt.
  id uuid primary key,
  partner_id uuid not null,
  org_id uuid,
  type text not null,
  -- Equal for equal events: of one job, or a change of one series on one day.
  dedupe_key text not null,
  -- The exact bytes that are signed and sent.
  body text not null,
  -- The trace of the event's cause, which its attempts continue.
  traceparent text,
  created_at timestamptz not null,
  constraint events_once unique (partner_id, dedupe_key)
);
-- Retention.
create index events_created on events (created_at);
-- A purge.
create index events_org on events (org_id) where org_id is not null;

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
)
with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

-- The due deliveries of one endpoint, pings apart from events.
create index deliveries_due on deliveries (endpoint_id, is_ping, next_attempt_at) where status = 'pending';
-- Leased deliveries, by endpoint and by partner, and expired leases.
create index deliveries_leased on deliveries (endpoint_id) where status = 'delivering';
create index deliveries_leased_partner on deliveries (partner_id) where status = 'delivering';
create index deliveries_lease_expires on deliveries (lease_expires_at) where status = 'delivering';
-- The delivery log, newest first, with and without the status filter.
create index deliveries_log on deliveries (endpoint_id, created_at desc, id desc);
create index deliveries_log_status on deliveries (endpoint_id, status, created_at desc, id desc);
-- Retention.
create index deliveries_created on deliveries (created_at);

create table attempts (
  delivery_id uuid not null references deliveries (id) on delete cascade,
  number integer not null,
  -- unknown: the process ended or lost its lease, and the receiver may have the event.
  outcome text not null check (outcome in ('running', 'succeeded', 'failed', 'unknown')),
  error text,
  status_code integer,
  duration_ms integer,
  dispatcher text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (delivery_id, number)
);

-- What each partner was last notified of, per brand, series, metric and threshold. Updated in the transaction of the
-- event, under the row's lock.
create table threshold_states (
  partner_id uuid not null,
  brand_id uuid not null,
  metric text not null check (metric in ('score', 'sentiment')),
  -- '' in the all-market series.
  country text not null,
  threshold double precision not null,
  -- Of the last event or of the first evaluation; null until a day with a value is evaluated.
  value double precision,
  -- The side last reported.
  side text generated always as (
    case when value is null then null when value >= threshold then 'above' else 'below' end) stored,
  -- The newest day at the last evaluation, and the brand's change token: an older token is not evaluated.
  run_date date,
  change_token timestamptz,
  updated_at timestamptz not null,
  primary key (partner_id, brand_id, metric, country, threshold)
)
-- A scan updates the rows of its brand, and no indexed column: room on the page keeps these updates cheap.
with (fillfactor = 70);
-- Retention.
create index threshold_states_updated on threshold_states (updated_at);
-- A purge.
create index threshold_states_brand on threshold_states (brand_id);

-- The last change that each endpoint was notified of. Updated in the transaction of the event, under the row's lock.
create table change_states (
  endpoint_id uuid not null references endpoints (id) on delete cascade,
  brand_id uuid not null,
  metric text not null,
  -- '' in the all-market series.
  country text not null,
  window_days integer not null,
  -- Last day of window b of that change.
  run_date date not null,
  updated_at timestamptz not null,
  primary key (endpoint_id, brand_id, metric, country, window_days)
);
-- Retention.
create index change_states_updated on change_states (updated_at);
-- A purge.
create index change_states_brand on change_states (brand_id);
