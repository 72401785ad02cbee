-- One row per consumer and message. Every service carries this text unchanged as migrations/NNNN_dead_events.sql.

alter table dead_events
  -- The event's id. Of a message without a readable one: the id the publisher gave it, or its place in the stream.
  add column message_id text,
  add column status text not null default 'dead'
    check (status in ('dead', 'redriven', 'applied', 'dismissed')),
  -- Attempts before the last redrive; `attempts` is the sum.
  add column prior_attempts integer not null default 0,
  add column last_failed_at timestamptz;

-- A redriven message carries its consumer's name, which is no part of the message.
update dead_events set envelope = envelope - 'consumer' where jsonb_typeof(envelope) = 'object';
update dead_events set
  message_id = coalesce(event_id::text, 'md5:' || md5(envelope::text)),
  status = case when redriven_at is null then 'dead' else 'redriven' end;

-- Rows of one message become the oldest of them.
update dead_events d set
  attempts = m.attempts,
  status = m.status,
  error = m.error,
  redriven_at = m.redriven_at,
  last_failed_at = m.last_failed_at
from (
  select
    (array_agg(id order by created_at, id))[1] as id,
    sum(attempts)::integer as attempts,
    min(status) as status,
    (array_agg(error order by created_at desc, id desc))[1] as error,
    max(redriven_at) as redriven_at,
    max(created_at) as last_failed_at
  from dead_events group by consumer, message_id
) m
where m.id = d.id;
delete from dead_events where last_failed_at is null;
update dead_events d set status = 'applied'
where status = 'redriven' and exists (
  select 1 from inbox i where i.consumer = d.consumer and i.event_id = d.event_id
);

alter table dead_events
  alter column message_id set not null,
  alter column last_failed_at set not null,
  alter column last_failed_at set default now();

create unique index dead_events_message on dead_events (consumer, message_id);

-- The previous version names no `message_id` and inserts by `dead_events_open`, which therefore stays. This sets the id,
-- and updates the row of a message that failed before.
create function set_dead_event_message() returns trigger language plpgsql as $$
begin
  new.message_id := coalesce(new.event_id::text, 'row:' || new.id);
  update dead_events d set
    status = 'dead',
    error = new.error,
    attempts = greatest(d.attempts, d.prior_attempts + new.attempts),
    last_failed_at = now(),
    redriven_at = null
  where d.consumer = new.consumer and d.message_id = new.message_id;
  if found then
    return null;
  end if;
  return new;
end
$$;

create trigger dead_events_without_message before insert on dead_events
  for each row when (new.message_id is null)
  execute function set_dead_event_message();
