-- One row a key of an owner: claimed while its request runs, then the answer for 24 hours.
create table idempotency_keys (
  owner_kind text not null check (owner_kind in ('organisation', 'partner')),
  owner_id uuid not null,
  key text not null,
  operation text not null,
  fingerprint bytea not null,
  -- Handed to the service, which records it with its answer: the same for every take-over of the claim.
  operation_id uuid not null,
  -- Of one attempt: an attempt that lost its claim can neither store nor release.
  claim_id uuid not null,
  lease_until timestamptz not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  status smallint,
  content_type text,
  -- The answer's body, encrypted; key_id names the encryption key.
  key_id smallint,
  body bytea,
  primary key (owner_kind, owner_id, key)
);

-- Pruning reads by age.
create index idempotency_keys_age on idempotency_keys ((coalesce(completed_at, created_at)));
