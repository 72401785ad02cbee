-- Progress of the writes that take several transactions (property creation, prompt sync), under the
-- operation's id, so that a retry after a crash goes on where the first try stopped. Removed when the answer
-- is recorded, or after days if nobody retried.
create table operation_progress (
  operation_id uuid primary key,
  -- The try that may go on: a newer one bars all steps of an older one that is still running somewhere.
  attempt integer not null default 1,
  -- The own brand a property creation has made.
  brand_id uuid references brands (id),
  created_at timestamptz not null default clock_timestamp()
);
create index operation_progress_created on operation_progress (created_at);

-- One row per step, written in the transaction of what it did, or after its refusal. `position` is the place
-- in the body; null for a prompt that was deactivated because the body left it out.
create table operation_steps (
  ordinal bigint generated always as identity primary key,
  operation_id uuid not null references operation_progress (operation_id) on delete cascade,
  position integer,
  outcome jsonb not null
);
create unique index operation_steps_position on operation_steps (operation_id, position);
