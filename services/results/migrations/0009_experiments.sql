-- Registered experiments. They are what was said in advance, so only their end and their result change.
create table experiments (
  id uuid primary key,
  org_id uuid not null,
  brand_id uuid not null,
  created_at timestamptz not null,
  name text not null,
  metric text not null,
  starts_on date not null,
  pre_from date not null,
  post_from date not null,
  post_to date not null,
  treated_prompt_ids uuid[] not null,
  treated_tags text[] not null,
  control_prompt_ids uuid[] not null,
  control_tags text[] not null,
  -- Null for all.
  platforms text[],
  countries text[],
  note text,
  smallest_detectable float8,
  -- At most one of them is set, once. An experiment is completed when its event is written.
  stopped_at timestamptz,
  completed_at timestamptz,
  -- The result of an ended experiment; null without answers. It is outdated once a day of it is scored again.
  result jsonb,
  is_outdated boolean not null default false
);
create index experiments_by_brand on experiments (brand_id, created_at desc, id desc);
create index experiments_open on experiments (post_to) where stopped_at is null and completed_at is null;
create index experiments_outdated on experiments (id) where is_outdated;
create index experiments_org on experiments (org_id);
