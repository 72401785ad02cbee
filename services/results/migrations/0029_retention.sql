-- Behind a long transaction, waiting for the lock would make every other statement wait.
set local lock_timeout = '3s';

-- How long results of organisations are kept, as catalog publishes it. 0 is for ever, null the setting of this service.
create table orgs (
  id uuid primary key,
  answer_text_days integer,
  unit_days integer,
  deleted_at timestamptz,
  version bigint not null
);

-- The first days that are kept. Earlier units and answer texts are hidden at once, and removed in batches later: the
-- other columns are the days up to which that is done.
alter table brand_tokens
  add column units_from date,
  add column texts_from date,
  add column units_removed_before date,
  add column texts_removed_before date,
  -- The last day before `units_from` on which the LLM judge model decided mentions.
  add column last_verified_day date;
