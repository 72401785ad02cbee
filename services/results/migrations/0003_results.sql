-- Projections of catalog's aggregates; `version` is the aggregate's, a row is replaced by a newer one only.
create table brands (
  id uuid primary key,
  org_id uuid not null,
  name text not null,
  domain text not null,
  is_own boolean not null,
  external_ref text,
  geography text not null,
  sunset_at timestamptz,
  competitor_ids uuid[] not null default '{}',
  version bigint not null
);
create index brands_own_by_org on brands (org_id, id) where is_own and sunset_at is null;

create table prompts (
  id uuid primary key,
  org_id uuid not null,
  brand_id uuid not null,
  active boolean not null,
  version bigint not null
);
create index prompts_active_by_brand on prompts (brand_id) where active;

-- Projection of scan jobs. `scored_at` is ours: set once every unit of an ended job is in and its day is scored.
create table scans (
  job_id uuid primary key,
  org_id uuid not null,
  brand_id uuid not null,
  status text not null,
  trigger text not null,
  run_date date not null,
  units_total integer not null,
  units_answered integer not null,
  units_no_answer integer not null,
  units_failed integer not null,
  platforms text[] not null,
  countries text[] not null,
  queued_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  version bigint not null,
  scored_at timestamptz
);
create index scans_by_brand on scans (brand_id, queued_at desc);

-- One change token per own brand, moved in the transaction of every write of its results.
create table brand_tokens (
  brand_id uuid primary key,
  org_id uuid not null,
  changed_at timestamptz not null,
  version bigint not null,
  -- Set while an ended scan waits for its last units; it runs out by itself so that a lost unit blocks nobody for ever.
  finalising_until timestamptz
);

create table units (
  id uuid primary key,
  org_id uuid not null,
  brand_id uuid not null,
  prompt_id uuid not null,
  job_id uuid,
  platform text not null,
  country text not null,
  run_date date not null,
  finalized_at timestamptz not null,
  outcome text not null check (outcome in ('answered', 'no_answer')),
  mentioned boolean not null,
  position integer,
  sentiment numeric(5, 2),
  cited boolean not null,
  answer_text text,
  answer_truncated boolean not null,
  model text,
  search_used boolean,
  localization text not null,
  search_queries text[] not null,
  check (mentioned = (position is not null))
);
create index units_by_brand on units (brand_id, run_date desc, finalized_at desc, id desc);
create index units_by_prompt on units (prompt_id, run_date desc, finalized_at desc, id desc);
create index units_by_job on units (job_id) where job_id is not null;

create table unit_brands (
  unit_id uuid not null references units,
  ordinal integer not null,
  brand_id uuid not null,
  name text not null,
  domain text not null,
  is_own boolean not null,
  mentioned boolean not null,
  mention_count integer not null,
  position integer,
  sentiment numeric(5, 2),
  cited boolean not null,
  primary key (unit_id, ordinal)
);

create table unit_sources (
  unit_id uuid not null references units,
  position integer not null,
  url text not null,
  -- Registrable domain by the Public Suffix List, or the host where there is none.
  domain text not null,
  title text,
  cited boolean not null,
  primary key (unit_id, position)
);

-- `country` is '' in the all-market series, so that one primary key holds both kinds of series.
create table scores (
  brand_id uuid not null,
  country text not null,
  run_date date not null,
  score numeric(5, 2),
  mention_rate numeric(5, 2),
  mention_rate_low numeric(5, 2),
  mention_rate_high numeric(5, 2),
  average_position numeric(8, 2),
  sentiment numeric(5, 2),
  citation_rate numeric(5, 2),
  share_of_voice numeric(5, 2),
  units_total integer not null,
  units_answered integer not null,
  units_mentioned integer not null,
  units_cited integer not null,
  position_sum integer not null,
  sentiment_sum numeric(14, 2) not null,
  sentiment_count integer not null,
  platforms jsonb not null,
  method_version text not null,
  computed_at timestamptz not null,
  primary key (brand_id, country, run_date)
);

-- Every cell of platform x country, '' for all: what the two filters of the list select.
create table share_of_voice (
  own_brand_id uuid not null,
  platform text not null,
  country text not null,
  run_date date not null,
  brand_id uuid not null,
  name text not null,
  domain text not null,
  is_own boolean not null,
  share_of_voice numeric(5, 2),
  mentions integer not null,
  total_mentions integer not null,
  units_answered integer not null,
  mention_rate numeric(5, 2),
  average_position numeric(8, 2),
  rank integer not null,
  primary key (own_brand_id, platform, country, run_date, brand_id)
);
create index share_of_voice_by_rank on share_of_voice (own_brand_id, platform, country, run_date desc, rank, brand_id);
