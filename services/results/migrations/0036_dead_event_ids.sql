-- without transaction
-- A purge finds the messages that name an organisation by this index. Every service carries this text unchanged as
-- migrations/NNNN_dead_event_ids.sql.

-- Every UUID in an envelope, also within a message that is stored as text because it is no JSON.
create or replace function envelope_ids(envelope jsonb) returns uuid[]
  language sql immutable strict parallel safe
as $$
  select array(
    select distinct found[1]::uuid
    from regexp_matches(envelope::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') found)
$$;
-- A failure leaves an invalid index.
drop index concurrently if exists dead_events_ids;
create index concurrently dead_events_ids on dead_events using gin (envelope_ids(envelope)) with (fastupdate = off);
