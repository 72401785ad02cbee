-- Own brands and competitor rows. `domain` is the normalised host.
create table brands (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references orgs (id),
  is_own boolean not null,
  name text not null,
  domain text not null,
  external_ref text,
  geography text not null default 'global',
  aliases text[] not null default '{}',
  sunset_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

-- Archived own brands still count for both.
create unique index brands_own_domain on brands (org_id, domain) where is_own;
create unique index brands_external_ref on brands (org_id, external_ref) where external_ref is not null;
-- One competitor row per organisation and domain; it is reused by every own brand that tracks it.
create unique index brands_competitor_domain on brands (org_id, domain) where not is_own;

-- The brand list, whole and by kind; the second also counts own brands against the plan.
create index brands_listed on brands (org_id, created_at, id) where sunset_at is null;
create index brands_listed_by_kind on brands (org_id, is_own, created_at, id) where sunset_at is null;

create table brand_competitors (
  brand_id uuid not null references brands (id),
  competitor_id uuid not null references brands (id),
  org_id uuid not null references orgs (id),
  created_at timestamptz not null default clock_timestamp(),
  primary key (brand_id, competitor_id)
);

-- `usage.competitors_per_brand.max_used` of an organisation.
create index brand_competitors_by_org on brand_competitors (org_id, brand_id);
create index brand_competitors_by_competitor on brand_competitors (competitor_id);
