-- Answers of writes that were done under an operation id, so that a retry gets the first answer again.
-- body is json, not jsonb: the first answer comes back as it was, key order included.
-- status and body are null only inside the transaction that claims the id and does the work.
create table processed_operations (
  operation_id uuid primary key,
  operation text not null,
  status int,
  body json,
  created_at timestamptz not null default now()
);

create index processed_operations_created_at_idx on processed_operations (created_at);
