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

-- Projection of catalog.org.changed: what the gateway needs of an organisation.
create table org_access (
  org_id uuid primary key,
  name text not null,
  tier text not null,
  api_access boolean not null,
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

create table partners (
  id uuid primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A revoked link stays as a row. Its version grows when it is made again, so that consumers apply the new link.
create table partner_links (
  partner_id uuid not null references partners (id),
  org_id uuid not null references org_access (org_id),
  scope text not null check (scope in ('read_only', 'read_write')),
  external_ref text,
  active boolean not null default true,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (partner_id, org_id)
);
-- A purge.
create index partner_links_org on partner_links (org_id);

-- Of a key only its HMAC and its first 12 characters are kept.
create table api_keys (
  id uuid primary key,
  key_hash bytea not null unique,
  pepper_id integer not null,
  key_prefix text not null,
  name text,
  org_id uuid references org_access (org_id),
  partner_id uuid references partners (id),
  scopes text[] not null,
  per_minute integer not null check (per_minute > 0),
  monthly_quota bigint check (monthly_quota >= 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint api_keys_one_owner check (num_nonnulls(org_id, partner_id) = 1)
);

create index api_keys_org on api_keys (org_id, id) where org_id is not null;
create index api_keys_partner on api_keys (partner_id, id) where partner_id is not null;

-- Monthly quotas, leased to Redis in blocks: never more than the quota, whatever Redis loses.
create table quota_leases (
  key_id uuid not null references api_keys (id),
  -- 202611 is November 2026, UTC.
  month integer not null,
  leased bigint not null default 0,
  -- The last lease, which the leasing statement returns.
  granted bigint not null default 0,
  -- Charged requests, for reporting.
  used bigint not null default 0,
  primary key (key_id, month)
)
-- Two numbers change all the time and are in no index: room on the page keeps their updates cheap.
with (fillfactor = 70);

-- Idempotency records: leased while the request runs, then the response for 24 hours.
create table idempotency_keys (
  owner_kind text not null check (owner_kind in ('organisation', 'partner')),
  owner_id uuid not null,
  key text not null,
  operation text not null,
  fingerprint bytea not null,
  -- Sent to the service, which records it with its response. Equal for every attempt.
  operation_id uuid not null,
  -- Of one attempt: an attempt that lost its lease can neither store nor release.
  lease_token uuid not null,
  lease_expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  status smallint,
  content_type text,
  -- Id of the encryption key of `body`.
  key_id smallint,
  -- Of the response, encrypted.
  body bytea,
  primary key (owner_kind, owner_id, key)
);

-- Deletion of old records.
create index idempotency_keys_age on idempotency_keys ((coalesce(completed_at, created_at)));
