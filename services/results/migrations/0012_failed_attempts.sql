-- Failures of a message, apart from its deliveries. Every service carries this text unchanged as
-- migrations/NNNN_failed_attempts.sql.

-- A delivery that ended because the database was unavailable is no attempt. The server counts it all the same.
create table failed_attempts (
  consumer text not null,
  -- As in dead_events.
  message_id text not null,
  -- Since the message was published, or redriven.
  attempts integer not null,
  last_failed_at timestamptz not null default now(),
  primary key (consumer, message_id)
);
