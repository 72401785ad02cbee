create table prompts (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references orgs (id),
  brand_id uuid not null references brands (id),
  text text not null,
  -- SHA-256 of the folded text: 500 characters folded can be 3,000 bytes, more than an index entry holds.
  text_identity bytea not null check (octet_length(text_identity) = 32),
  tags text[] not null default '{}',
  countries text[] not null,
  platforms text[] not null,
  active boolean not null default true,
  source text not null,
  created_by_key_id uuid,
  version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

-- One active prompt of a text per brand.
create unique index prompts_active_text on prompts (brand_id, text_identity) where active;
-- The sync's look-up: the prompts of a brand that have one of the texts sent, active or not.
create index prompts_text on prompts (brand_id, text_identity);
-- The prompt list, of an organisation and of one brand.
create index prompts_listed on prompts (org_id, created_at, id);
create index prompts_listed_by_brand on prompts (brand_id, created_at, id);

-- The scan plan of a brand, by id.
create index prompts_planned on prompts (brand_id, id) where active;

-- What counts against the plan: active prompts of brands that are not archived, by country; the country ''
-- counts the prompts themselves. Kept by the triggers below, because counting 100,000 prompts for every
-- checked write would hold the organisation's lock for tens of milliseconds.
create table prompt_counts (
  org_id uuid not null references orgs (id),
  country text not null,
  active_prompts bigint not null,
  primary key (org_id, country)
);

create function count_prompts() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into prompt_counts as counted (org_id, country, active_prompts)
    select moved.org_id, moved.country, sum(moved.step)
    from (
      select org_id, brand_id, unnest(countries || ''::text) as country, 1 as step from new_prompts where active
      union all
      select org_id, brand_id, unnest(countries || ''::text), -1 from old_prompts where active
    ) moved
    join brands on brands.id = moved.brand_id and brands.sunset_at is null
    group by moved.org_id, moved.country
    having sum(moved.step) <> 0
    on conflict (org_id, country)
      do update set active_prompts = counted.active_prompts + excluded.active_prompts;
  else
    insert into prompt_counts as counted (org_id, country, active_prompts)
    select added.org_id, added.country, count(*)
    from (
      select org_id, brand_id, unnest(countries || ''::text) as country from new_prompts where active
    ) added
    join brands on brands.id = added.brand_id and brands.sunset_at is null
    group by added.org_id, added.country
    on conflict (org_id, country)
      do update set active_prompts = counted.active_prompts + excluded.active_prompts;
  end if;
  return null;
end
$$;

create trigger prompts_inserted after insert on prompts
  referencing new table as new_prompts
  for each statement execute function count_prompts();

create trigger prompts_updated after update on prompts
  referencing old table as old_prompts new table as new_prompts
  for each statement execute function count_prompts();

-- Archiving takes the brand's prompts out of the counts, restoring puts them back.
create function count_prompts_of_brand() returns trigger language plpgsql as $$
begin
  insert into prompt_counts as counted (org_id, country, active_prompts)
  select new.org_id, held.country, count(*) * case when new.sunset_at is null then 1 else -1 end
  from (
    select unnest(countries || ''::text) as country from prompts where brand_id = new.id and active
  ) held
  group by held.country
  on conflict (org_id, country)
    do update set active_prompts = counted.active_prompts + excluded.active_prompts;
  return null;
end
$$;

create trigger brands_archived after update of sunset_at on brands
  for each row when ((old.sunset_at is null) <> (new.sunset_at is null))
  execute function count_prompts_of_brand();
