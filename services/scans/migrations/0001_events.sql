-- The event tables of a service. Every service carries this text unchanged as migrations/0001_events.sql.

-- What this service has said. A row is written in the transaction of the change it tells of.
create table outbox (
  id uuid primary key,
  type text not null,
  aggregate_id text not null,
  version bigint not null,
  envelope jsonb not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  stream_seq bigint,
  -- Counts republications: a new message id, so that the stream's duplicate window does not swallow them.
  republished integer not null default 0
);

-- The relay's claim: the oldest unsent rows.
create index outbox_unsent on outbox (created_at) where sent_at is null;
-- Retention and republication.
create index outbox_sent on outbox (sent_at) where sent_at is not null;

-- Sent rows are updated once and soon; without this, dead entries pile up in the index of the unsent ones.
alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What this service has heard: one row per consumer and event, written in the transaction of its effect.
create table inbox (
  consumer text not null,
  event_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

-- Retention alone reads by time; rows arrive in that order, so a block range index is enough.
create index inbox_received on inbox using brin (received_at) with (autosummarize = on);

-- Messages that no handler could take. `event_id` is null when not even that could be read.
create table dead_events (
  id uuid primary key,
  consumer text not null,
  event_id uuid,
  type text not null,
  envelope jsonb not null,
  error text not null,
  attempts integer not null,
  created_at timestamptz not null default now(),
  redriven_at timestamptz
);

-- One open row per consumer and event, however often the message comes back.
create unique index dead_events_open on dead_events (consumer, event_id) where redriven_at is null;
-- The operator's list, newest first.
create index dead_events_created on dead_events (created_at desc, id desc);
