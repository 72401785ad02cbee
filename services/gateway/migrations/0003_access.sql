-- Who may call, and for whom: read as one row for every request.

-- Projection of catalog.org.changed: what the gateway needs of an organisation.
create table org_access (
  org_id uuid primary key,
  name text not null,
  tier text not null,
  api_access boolean not null,
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

create table partners (
  id uuid primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A revoked link stays as a row: its version goes on, so that consumers never take an old link for a new one.
create table partner_links (
  partner_id uuid not null references partners (id),
  org_id uuid not null references org_access (org_id),
  scope text not null check (scope in ('read_only', 'read_write')),
  external_ref text,
  active boolean not null default true,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (partner_id, org_id)
);

-- Of a key only its HMAC and its first 12 characters are kept.
create table api_keys (
  id uuid primary key,
  key_hash bytea not null unique,
  pepper_id integer not null,
  key_prefix text not null,
  name text,
  org_id uuid references org_access (org_id),
  partner_id uuid references partners (id),
  scopes text[] not null,
  per_minute integer not null check (per_minute > 0),
  monthly_quota bigint check (monthly_quota >= 0),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint api_keys_one_owner check (num_nonnulls(org_id, partner_id) = 1)
);

create index api_keys_org on api_keys (org_id, id) where org_id is not null;
create index api_keys_partner on api_keys (partner_id, id) where partner_id is not null;
