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

-- Projections of catalog's aggregates. `version` is the aggregate's: a row is replaced by a newer one only.

-- How long results of organisations are kept. 0 is for ever, null the setting of this service.
create table orgs (
  id uuid primary key,
  answer_text_days integer,
  unit_days integer,
  deleted_at timestamptz,
  version bigint not null
);

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
  aliases text[] not null,
  -- {case_sensitive, exclude, verify}
  match jsonb not null,
  version bigint not null
);
create index brands_own_by_org on brands (org_id, id) where is_own and sunset_at is null;
-- The own brands that track a competitor: their results show its name.
create index brands_by_competitor on brands using gin (competitor_ids);
-- A purge finds the rows of an organisation by this one, and by those of the same name below.
create index brands_org on brands (org_id);

create table prompts (
  id uuid primary key,
  org_id uuid not null,
  brand_id uuid not null,
  active boolean not null,
  version bigint not null
);
create index prompts_active_by_brand on prompts (brand_id) where active;
create index prompts_org on prompts (org_id);

-- Projection of scan jobs. The last two columns are written by results.
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
  -- Set once every unit of an ended job is in and its day is scored.
  scored_at timestamptz,
  -- Until when an ended scan that still waits for units marks its brand. Each scan has its own mark.
  finalising_until timestamptz
);
create index scans_by_brand on scans (brand_id, queued_at desc);
create index scans_in_progress on scans (brand_id) where status in ('queued', 'running');
create index scans_finalising on scans (brand_id) where finalising_until is not null;
create index scans_org on scans (org_id);

-- One change token per own brand, moved in the transaction of every write of its results.
create table brand_tokens (
  brand_id uuid primary key,
  org_id uuid not null,
  changed_at timestamptz not null,
  version bigint not null,
  -- The latest mark of its scans. It runs out by itself, so that a lost unit does not block reads for ever.
  finalising_until timestamptz,
  -- The first days that are kept. Earlier units and answer texts are hidden at once, and removed in batches later: the
  -- next two columns are the days up to which that is done.
  units_from date,
  texts_from date,
  units_removed_before date,
  texts_removed_before date,
  -- The last day before `units_from` on which the LLM judge decided mentions.
  last_verified_day date
);
create index brand_tokens_org on brand_tokens (org_id);

-- The ten tables that grow with every scan are partitioned by own brand (docs/adr/0020-partitions-by-brand.md), so the
-- own brand is the first column of each key.

create table units (
  id uuid not null,
  org_id uuid not null,
  brand_id uuid not null,
  prompt_id uuid not null,
  -- Null for imported units.
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
  -- What gave the sentiments: 'lexicon', or 'llm' for the LLM judge. Null without sentiments, and if imported.
  sentiment_method text,
  -- How the mentions were decided: 'words', or 'words+llm' where the LLM judge confirmed them. Null if imported.
  mention_method text,
  -- Version by which the brands in the answer were found.
  method_version text not null,
  primary key (brand_id, id),
  check (mentioned = (position is not null))
) partition by hash (brand_id);
create index units_by_brand on units (brand_id, run_date desc, finalized_at desc, id desc);
create index units_by_prompt on units (prompt_id, brand_id, run_date desc, finalized_at desc, id desc);
create index units_by_job on units (job_id) where job_id is not null;
-- Days and units of imports in a window, found without reading the units of its scans.
create index units_imported on units (brand_id, run_date) where job_id is null;
-- Whether the LLM judge decided mentions in a range of days, found without reading all units.
create index units_verified on units (brand_id, run_date) where mention_method = 'words+llm';

create table unit_brands (
  own_brand_id uuid not null,
  unit_id uuid not null,
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
  -- The first occurrences in the answer, as pairs of start and end in code points.
  evidence integer[],
  -- Whether the LLM judge says that the text means this brand; null without a judgement.
  means_brand boolean,
  primary key (own_brand_id, unit_id, ordinal)
) partition by hash (own_brand_id);

create table unit_sources (
  own_brand_id uuid not null,
  unit_id uuid not null,
  position integer not null,
  url text not null,
  -- Registrable domain by the Public Suffix List, or the host where there is none.
  domain text not null,
  title text,
  cited boolean not null,
  primary key (own_brand_id, unit_id, position)
) partition by hash (own_brand_id);

-- Sums of cited links by day, kept with the units under the brand's token: a page of sources reads sums instead of
-- joining every answer of the window with its links.
create table source_days (
  brand_id uuid not null,
  run_date date not null,
  domain text not null,
  platform text not null,
  country text not null,
  citations integer not null,
  units_cited integer not null,
  units_mentioned integer not null,
  primary key (brand_id, run_date, domain, platform, country)
) partition by hash (brand_id);

create table source_pages (
  brand_id uuid not null,
  domain text not null,
  run_date date not null,
  platform text not null,
  country text not null,
  url text not null,
  title text,
  citations integer not null
) partition by hash (brand_id);
-- A URL can be longer than an index entry, and an expression is no part of a primary key.
create unique index source_pages_key on source_pages (brand_id, domain, run_date, platform, country, md5(url));

create table answered_days (
  brand_id uuid not null,
  run_date date not null,
  platform text not null,
  country text not null,
  units_answered integer not null,
  primary key (brand_id, run_date, platform, country)
) partition by hash (brand_id);

-- Sums of a brand's day by cell and model, over all its units: repeats of a cell included. Windows pool them.
create table cell_days (
  brand_id uuid not null,
  run_date date not null,
  prompt_id uuid not null,
  country text not null,
  platform text not null,
  -- Empty where the platform named none.
  model text not null,
  units_total integer not null,
  units_answered integer not null,
  units_mentioned integer not null,
  units_cited integer not null,
  unit_score_sum double precision not null,
  position_sum integer not null,
  sentiment_sum numeric(14, 2) not null,
  sentiment_count integer not null,
  primary key (brand_id, run_date, prompt_id, country, platform, model)
) partition by hash (brand_id);

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
) partition by hash (own_brand_id);
create index share_of_voice_by_rank on share_of_voice (own_brand_id, platform, country, run_date desc, rank, brand_id);

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
  -- What served the answers.
  models jsonb not null default '[]',
  prompts_measured integer not null default 0,
  method_version text not null,
  computed_at timestamptz not null,
  primary key (brand_id, country, run_date)
) partition by hash (brand_id);

-- Scores over the days up to `run_date`. `country` is empty in the all-market series.
create table window_scores (
  brand_id uuid not null,
  country text not null,
  window_days smallint not null check (window_days in (7, 28)),
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
  units_effective numeric(12, 2) not null,
  position_sum bigint not null,
  sentiment_sum numeric(16, 2) not null,
  sentiment_count integer not null,
  platforms jsonb not null,
  models jsonb not null,
  prompts_measured integer not null,
  method_version text not null,
  computed_at timestamptz not null,
  primary key (brand_id, country, window_days, run_date)
) partition by hash (brand_id);

do $$
declare
  partitions constant integer := coalesce(nullif(current_setting('results.partitions', true), ''), '32');
  name text;
begin
  for number in 0 .. partitions - 1 loop
    foreach name in array array['units', 'unit_brands', 'unit_sources', 'source_days', 'source_pages', 'answered_days',
      'cell_days', 'share_of_voice', 'scores', 'window_scores'] loop
      execute format('create table %I partition of %I for values with (modulus %s, remainder %s)',
        name || '_p' || number, name, partitions, number);
    end loop;
    -- A prompt's units are one brand's. If the planner took the two for independent, it would expect few rows and sort
    -- the whole window for every page. Autovacuum collects statistics of partitions only.
    execute format('create statistics %I (dependencies) on prompt_id, brand_id from %I',
      'units_of_prompt_p' || number, 'units_p' || number);
  end loop;
end
$$;

-- Every platform and market a brand has units of: a filter by what nothing stores returns without reading the
-- window. Written under the brand's token, with the units.
create table unit_markets (
  brand_id uuid not null,
  platform text not null,
  country text not null,
  primary key (brand_id, country, platform)
);

-- Days with imported units that their scores do not contain yet. A row is written with the units and deleted with the
-- scores, so that neither a broken import nor the end of its process leaves a day unscored.
create table unscored_days (
  brand_id uuid not null,
  run_date date not null,
  primary key (brand_id, run_date)
);

-- Days whose first scan was evaluated for changes. `change_verdict` is that of the last scan of the day, over all
-- markets: the score of the 7 days up to `run_date` against that of the 7 days before.
create table evaluated_days (
  brand_id uuid not null,
  run_date date not null,
  change_verdict text not null check (change_verdict in ('up', 'down', 'no_evidence', 'not_comparable')),
  primary key (brand_id, run_date)
);

-- Jobs that read the stored answers of a brand again with its current identity.
create table reprocess_jobs (
  id uuid primary key,
  org_id uuid not null,
  brand_id uuid not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  from_date date not null,
  to_date date not null,
  -- Jobs of the operator, for every brand, wait for those of clients.
  by_operator boolean not null,
  -- The days before it are done; null before the first day.
  next_day date,
  -- Of the brands that are searched for; null before the first day. A different one begins the job again.
  identity_hash text,
  units_total integer not null default 0,
  units_done integer not null default 0,
  units_changed integer not null default 0,
  queued_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  -- When the job was leased first, or its last day was done.
  progressed_at timestamptz,
  completed_at timestamptz,
  -- Grows when the job is leased and given back, and every write of a worker names it.
  fencing_token bigint not null default 0,
  -- A worker may lease an open job from then on.
  leased_until timestamptz not null default clock_timestamp(),
  -- Leases since the last day that was done.
  attempts integer not null default 0,
  request_id text not null,
  traceparent text
);
create unique index reprocess_jobs_open on reprocess_jobs (brand_id) where status in ('queued', 'running');
-- The job that was given back first is leased next.
create index reprocess_jobs_queue on reprocess_jobs (by_operator, leased_until, id)
  where status in ('queued', 'running');
create index reprocess_jobs_ended on reprocess_jobs (completed_at) where completed_at is not null;
create index reprocess_jobs_org on reprocess_jobs (org_id);
