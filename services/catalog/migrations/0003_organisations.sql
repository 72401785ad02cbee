-- Plans. Rows are the operator's to change; null is unlimited.
create table tiers (
  name text primary key,
  api_access boolean not null,
  on_demand_scans boolean not null,
  prompts integer check (prompts >= 0),
  own_brands integer check (own_brands >= 0),
  countries integer check (countries >= 0),
  competitors_per_brand integer check (competitors_per_brand >= 0),
  manual_scans integer check (manual_scans >= 0)
);

insert into tiers
  (name, api_access, on_demand_scans, prompts, own_brands, countries, competitors_per_brand, manual_scans)
values
  ('starter', false, false, 25, 1, 3, 3, 0),
  ('growth', true, true, 100, 3, 5, 5, 10),
  ('scale', true, true, 500, 10, 15, 10, 60),
  ('enterprise', true, true, null, null, null, null, null);

-- The row of an organisation is also the lock every write below it takes first: what is counted against a
-- plan limit cannot move between the count and the write.
create table orgs (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  tier text not null references tiers (name),
  overrides jsonb not null default '{}',
  version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

-- The operator's list, by id.
create index orgs_listed on orgs (id) where deleted_at is null;
