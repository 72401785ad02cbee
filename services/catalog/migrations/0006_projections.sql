-- What scans says about manual scans and credits of an organisation.
create table scan_allowances (
  org_id uuid primary key,
  used integer not null,
  "limit" integer,
  remaining integer,
  resets_at timestamptz not null,
  scan_credits integer not null,
  version bigint not null
);

-- The change token of an own brand as results publishes it.
create table brand_changes (
  brand_id uuid primary key,
  changed_at timestamptz not null,
  version bigint not null
);
