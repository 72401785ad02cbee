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

