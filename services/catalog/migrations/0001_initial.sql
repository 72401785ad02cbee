-- The tables of libs/events. The first migration of every service begins with this text.

-- Events of this service. A row is written in the transaction of the change that it describes.
create table outbox (
  id uuid primary key,
  type text not null,
  aggregate_id text not null,
  version bigint not null,
  envelope jsonb not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  stream_seq bigint,
  -- Number of republications. Each has a new message id, because the stream ignores an id that it received recently.
  republished integer not null default 0
)
-- A sent row is updated once and soon: without this, dead entries accumulate in the index of the unsent ones.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The relay: the oldest unsent rows.
create index outbox_unsent on outbox (created_at) where sent_at is null;
-- Retention and republication.
create index outbox_sent on outbox (sent_at) where sent_at is not null;

-- Handled events, by consumer. A row is written in the transaction of the event's effect.
create table inbox (
  consumer text not null,
  event_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

-- Only retention reads by time. Rows arrive in that order, so a block range index is enough.
create index inbox_received on inbox using brin (received_at) with (autosummarize = on);

-- Failures of a message. They are not its deliveries: one that ends because the database is unavailable is no failure.
create table failed_attempts (
  consumer text not null,
  -- As in dead_letter_events.
  message_id text not null,
  -- Since the message was published, or redriven.
  attempts integer not null,
  last_failed_at timestamptz not null default now(),
  primary key (consumer, message_id)
);

-- Messages that no attempt could handle, one row per consumer and message.
create table dead_letter_events (
  id uuid primary key,
  consumer text not null,
  -- The event's id. Of a message without a readable one: the id that its publisher gave it, or its place in the stream.
  message_id text not null,
  event_id uuid,
  type text not null,
  status text not null default 'dead' check (status in ('dead', 'redriven', 'applied', 'dismissed')),
  envelope jsonb not null,
  error text not null,
  attempts integer not null,
  -- Attempts before the last redrive; `attempts` is the sum.
  prior_attempts integer not null default 0,
  created_at timestamptz not null default now(),
  last_failed_at timestamptz not null default now(),
  redriven_at timestamptz
);

create unique index dead_letter_events_message on dead_letter_events (consumer, message_id);
-- The operator's list, newest first.
create index dead_letter_events_created on dead_letter_events (created_at desc, id desc);

-- Every UUID in an envelope, also within a message that is stored as text because it is no JSON.
create function envelope_ids(envelope jsonb) returns uuid[]
  language sql immutable strict parallel safe
as $$
  select array(
    select distinct found[1]::uuid
    from regexp_matches(envelope::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') found)
$$;

-- A purge finds the messages that name an organisation.
create index dead_letter_events_ids on dead_letter_events using gin (envelope_ids(envelope)) with (fastupdate = off);

-- Organisations whose data is to be deleted, with the number of deleted rows by table.
create table org_purges (
  org_id uuid primary key,
  requested_at timestamptz not null,
  completed_at timestamptz,
  checked_at timestamptz,
  removed jsonb not null default '{}'
);

-- Responses of writes by operation id, so that a retry gets the first one. `body` is json: jsonb would reorder its keys.
create table processed_operations (
  operation_id uuid primary key,
  operation text not null,
  -- As `body`, null only inside the transaction that does the work.
  status int,
  body json,
  created_at timestamptz not null default now()
);

create index processed_operations_created_at_idx on processed_operations (created_at);

-- Plans, which the operator changes. Null is unlimited.
create table tiers (
  name text primary key,
  api_access boolean not null,
  on_demand_scans boolean not null,
  prompts integer check (prompts >= 0),
  own_brands integer check (own_brands >= 0),
  countries integer check (countries >= 0),
  -- A brand's events carry all its competitors, so it has a highest value.
  competitors_per_brand integer not null check (competitors_per_brand between 0 and 250),
  manual_scans integer check (manual_scans >= 0)
);

insert into tiers
  (name, api_access, on_demand_scans, prompts, own_brands, countries, competitors_per_brand, manual_scans)
values
  ('starter', false, false, 25, 1, 3, 3, 0),
  ('growth', true, true, 100, 3, 5, 5, 10),
  ('scale', true, true, 500, 10, 15, 10, 60),
  ('enterprise', true, true, null, null, null, 250, null);

-- Every write below locks its organisation's row first, so that a count against a limit holds until the write.
create table orgs (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  tier text not null references tiers (name),
  overrides jsonb not null default '{}',
  -- Days that answer texts and units are kept. 0 is for ever, null the setting of the installation.
  retention jsonb not null default '{"answer_text_days": null, "unit_days": null}',
  version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  -- When the operator requested the deletion of the data.
  purge_requested_at timestamptz
);

-- The operator's list, by id.
create index orgs_listed on orgs (id) where deleted_at is null;

-- Own brands and competitors. `domain` is the normalised host.
create table brands (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references orgs (id),
  is_own boolean not null,
  name text not null,
  domain text not null,
  external_ref text,
  geography text not null default 'global',
  aliases text[] not null default '{}',
  match_rules jsonb not null default '{"case_sensitive": false, "exclude": [], "verify": false}',
  sunset_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

-- Archived own brands count for both.
create unique index brands_own_domain on brands (org_id, domain) where is_own;
create unique index brands_external_ref on brands (org_id, external_ref) where external_ref is not null;
-- One competitor per organisation and domain, which several own brands may have.
create unique index brands_competitor_domain on brands (org_id, domain) where not is_own;

-- The brand list, whole and by kind. The second also counts own brands against the limit.
create index brands_listed on brands (org_id, created_at, id) where sunset_at is null;
create index brands_listed_by_kind on brands (org_id, is_own, created_at, id) where sunset_at is null;
-- The operator's list, with archived brands.
create index brands_of_organisation on brands (org_id, created_at, id);

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
-- The sync: prompts of a brand that have one of the sent texts, active or not.
create index prompts_text on prompts (brand_id, text_identity);
-- The prompt list, of an organisation and of one brand.
create index prompts_listed on prompts (org_id, created_at, id);
create index prompts_listed_by_brand on prompts (brand_id, created_at, id);
-- The scan plan of a brand, by id.
create index prompts_planned on prompts (brand_id, id) where active;

-- The filters of the prompt list as keys that begin with the organisation. The planner's statistics of the keys show
-- which filters few prompts meet. Null is no filter.
create function prompt_keys(org_id uuid, active boolean, tags text[], countries text[], platforms text[])
returns text[] language sql immutable parallel safe as $$
  select array(select org_id || ' active ' || active where active is not null)
    || array(select org_id || ' tag ' || tag from unnest(tags) tag where tag is not null)
    || array(select org_id || ' country ' || country from unnest(countries) country where country is not null)
    || array(select org_id || ' platform ' || platform from unnest(platforms) platform where platform is not null)
$$;

-- Without the list of pending entries, which every read would go through.
create index prompts_filtered on prompts using gin (prompt_keys(org_id, active, tags, countries, platforms))
  with (fastupdate = off);

-- Active prompts of brands that are not archived, by country; the country '' has the number of prompts. Triggers keep
-- them: counting 100,000 prompts in each checked write would hold the organisation's lock for tens of milliseconds.
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

-- Prompts of an archived brand do not count.
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

-- Projection of the scan allowances that scans publishes.
create table scan_allowances (
  org_id uuid primary key,
  used integer not null,
  "limit" integer,
  remaining integer,
  resets_at timestamptz not null,
  scan_credits integer not null,
  version bigint not null
);

-- Projection of the change tokens that results publishes.
create table brand_changes (
  brand_id uuid primary key,
  changed_at timestamptz not null,
  version bigint not null
);

-- Writes that take several transactions (property creation, prompt sync), so that a retry continues where the earlier
-- attempt ended. A row is deleted when the response is recorded, or after days without a retry.
create table operation_progress (
  operation_id uuid primary key,
  -- The attempt that may continue: it stops an earlier one that still runs elsewhere.
  attempt integer not null default 1,
  -- The own brand that a property creation has made.
  brand_id uuid references brands (id),
  created_at timestamptz not null default clock_timestamp()
);
create index operation_progress_created on operation_progress (created_at);
-- A purge, and the foreign key for each brand that it deletes.
create index operation_progress_brand on operation_progress (brand_id) where brand_id is not null;

-- One row per step, written in the transaction of its effect, or after its refusal. `position` is the place in the
-- body; null for a prompt that was deactivated because the body omits it.
create table operation_steps (
  ordinal bigint generated always as identity primary key,
  operation_id uuid not null references operation_progress (operation_id) on delete cascade,
  position integer,
  -- json, not jsonb: a response of recorded outcomes has its fields in the order in which they were written.
  outcome json not null
);
create unique index operation_steps_position on operation_steps (operation_id, position);
