-- Behind a long transaction, waiting for the lock would make every other statement wait.
set local lock_timeout = '3s';

-- Organisations whose data is to be deleted, with the number of deleted rows by table.
create table org_purges (
  org_id uuid primary key,
  requested_at timestamptz not null,
  completed_at timestamptz,
  checked_at timestamptz,
  removed jsonb not null default '{}'
);
-- When the operator requested the deletion of the data.
alter table orgs add column purge_requested_at timestamptz;
