CREATE FUNCTION results.envelope_ids(envelope jsonb) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select array(
    select distinct found[1]::uuid
    from regexp_matches(envelope::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') found)
$$;
CREATE TABLE results.answered_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    units_answered integer NOT NULL,
    units_unresolved integer DEFAULT 0 NOT NULL
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.brand_tokens (
    brand_id uuid NOT NULL,
    org_id uuid NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    version bigint NOT NULL,
    finalising_until timestamp with time zone,
    units_from date,
    texts_from date,
    units_removed_before date,
    texts_removed_before date,
    last_verified_day date,
    names_judged_on date
);
CREATE TABLE results.brands (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    name text NOT NULL,
    domain text NOT NULL,
    is_own boolean NOT NULL,
    external_ref text,
    geography text NOT NULL,
    sunset_at timestamp with time zone,
    competitor_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    aliases text[] NOT NULL,
    match jsonb NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE results.cell_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL,
    prompt_id uuid NOT NULL,
    country text NOT NULL,
    platform text NOT NULL,
    model text NOT NULL,
    units_total integer NOT NULL,
    units_answered integer NOT NULL,
    units_mentioned integer NOT NULL,
    units_cited integer NOT NULL,
    unit_score_sum double precision NOT NULL,
    position_sum integer NOT NULL,
    sentiment_sum numeric(14,2) NOT NULL,
    sentiment_count integer NOT NULL,
    surfaces text[] DEFAULT '{}'::text[] NOT NULL,
    searched_brands text[] DEFAULT '{}'::text[] NOT NULL,
    units_citations_unknown integer DEFAULT 0 NOT NULL,
    mentions integer,
    units_mentioned_cited integer DEFAULT 0 NOT NULL,
    competitor_set uuid,
    competitor_units integer[] DEFAULT '{}'::integer[] NOT NULL,
    competitor_mentions integer[] DEFAULT '{}'::integer[] NOT NULL,
    unit_score_squares double precision,
    units_read integer DEFAULT 0 NOT NULL,
    units_informative integer DEFAULT 0 NOT NULL
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.competitor_sets (
    own_brand_id uuid NOT NULL,
    id uuid NOT NULL,
    competitor_ids uuid[] NOT NULL
);
CREATE TABLE results.dead_letter_events (
    id uuid NOT NULL,
    consumer text NOT NULL,
    message_id text NOT NULL,
    event_id uuid,
    type text NOT NULL,
    status text DEFAULT 'dead'::text NOT NULL,
    envelope jsonb NOT NULL,
    error text NOT NULL,
    attempts integer NOT NULL,
    prior_attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_failed_at timestamp with time zone DEFAULT now() NOT NULL,
    redriven_at timestamp with time zone,
    CONSTRAINT dead_letter_events_status_check CHECK ((status = ANY (ARRAY['dead'::text, 'redriven'::text, 'applied'::text, 'dismissed'::text])))
);
CREATE TABLE results.evaluated_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL,
    change_verdict text NOT NULL,
    CONSTRAINT evaluated_days_change_verdict_check CHECK ((change_verdict = ANY (ARRAY['up'::text, 'down'::text, 'no_evidence'::text, 'not_comparable'::text])))
);
CREATE TABLE results.experiments (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    name text NOT NULL,
    metric text NOT NULL,
    starts_on date NOT NULL,
    pre_from date NOT NULL,
    post_from date NOT NULL,
    post_to date NOT NULL,
    treated_prompt_ids uuid[] NOT NULL,
    treated_tags text[] NOT NULL,
    control_prompt_ids uuid[] NOT NULL,
    control_tags text[] NOT NULL,
    platforms text[],
    countries text[],
    note text,
    smallest_detectable double precision,
    stopped_at timestamp with time zone,
    completed_at timestamp with time zone,
    result jsonb,
    is_outdated boolean DEFAULT false NOT NULL
);
CREATE TABLE results.failed_attempts (
    consumer text NOT NULL,
    message_id text NOT NULL,
    attempts integer NOT NULL,
    last_failed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE results.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE results.name_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    key text NOT NULL,
    is_tracked boolean NOT NULL,
    name text NOT NULL,
    domain text NOT NULL,
    rank_sum integer NOT NULL,
    prompt_ids uuid[] NOT NULL,
    examples jsonb NOT NULL
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.name_judgements (
    brand_id uuid NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    same_as text
);
CREATE TABLE results.org_purges (
    org_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    checked_at timestamp with time zone,
    removed jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE results.orgs (
    id uuid NOT NULL,
    answer_text_days integer,
    unit_days integer,
    deleted_at timestamp with time zone,
    version bigint NOT NULL
);
CREATE TABLE results.outbox (
    id uuid NOT NULL,
    type text NOT NULL,
    aggregate_id text NOT NULL,
    version bigint NOT NULL,
    envelope jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone,
    stream_seq bigint,
    republished integer DEFAULT 0 NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
CREATE TABLE results.platform_days (
    run_date date NOT NULL,
    platform text NOT NULL,
    units integer NOT NULL,
    answered integer NOT NULL,
    sourced integer NOT NULL,
    unresolved integer NOT NULL,
    unnamed integer NOT NULL,
    largest_domain integer NOT NULL,
    with_text integer NOT NULL,
    text_bytes integer NOT NULL,
    drift text[] NOT NULL
);
CREATE TABLE results.processed_operations (
    operation_id uuid NOT NULL,
    operation text NOT NULL,
    status integer,
    body json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    org_id uuid
);
CREATE TABLE results.prompts (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    active boolean NOT NULL,
    version bigint NOT NULL,
    text text,
    tags text[] DEFAULT '{}'::text[] NOT NULL
);
CREATE TABLE results.reprocess_jobs (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    from_date date NOT NULL,
    to_date date NOT NULL,
    by_operator boolean NOT NULL,
    next_day date,
    identity_hash text,
    units_total integer DEFAULT 0 NOT NULL,
    units_done integer DEFAULT 0 NOT NULL,
    units_changed integer DEFAULT 0 NOT NULL,
    queued_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    progressed_at timestamp with time zone,
    completed_at timestamp with time zone,
    fencing_token bigint DEFAULT 0 NOT NULL,
    leased_until timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    request_id text NOT NULL,
    traceparent text,
    CONSTRAINT reprocess_jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text])))
);
CREATE TABLE results.scans (
    job_id uuid NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    status text NOT NULL,
    trigger text NOT NULL,
    run_date date NOT NULL,
    units_total integer NOT NULL,
    units_answered integer NOT NULL,
    units_no_answer integer NOT NULL,
    units_failed integer NOT NULL,
    platforms text[] NOT NULL,
    countries text[] NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    version bigint NOT NULL,
    scored_at timestamp with time zone,
    finalising_until timestamp with time zone,
    units_by_market jsonb
);
CREATE TABLE results.schema_migrations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);
CREATE SEQUENCE results.schema_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE results.schema_migrations_id_seq OWNED BY results.schema_migrations.id;
CREATE TABLE results.scores (
    brand_id uuid NOT NULL,
    country text NOT NULL,
    run_date date NOT NULL,
    score numeric(5,2),
    mention_rate numeric(5,2),
    mention_rate_low numeric(5,2),
    mention_rate_high numeric(5,2),
    average_position numeric(8,2),
    sentiment numeric(5,2),
    citation_rate numeric(5,2),
    share_of_voice numeric(5,2),
    units_total integer NOT NULL,
    units_answered integer NOT NULL,
    units_mentioned integer NOT NULL,
    units_cited integer NOT NULL,
    position_sum integer NOT NULL,
    sentiment_sum numeric(14,2) NOT NULL,
    sentiment_count integer NOT NULL,
    platforms jsonb NOT NULL,
    models jsonb DEFAULT '[]'::jsonb NOT NULL,
    prompts_measured integer DEFAULT 0 NOT NULL,
    method_version text NOT NULL,
    computed_at timestamp with time zone NOT NULL,
    units_citations_unknown integer,
    units_mentioned_cited integer,
    units_informative integer,
    informative_rate numeric(5,2)
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.share_of_voice (
    own_brand_id uuid NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    run_date date NOT NULL,
    brand_id uuid NOT NULL,
    name text NOT NULL,
    domain text NOT NULL,
    is_own boolean NOT NULL,
    share_of_voice numeric(5,2),
    mentions integer NOT NULL,
    total_mentions integer NOT NULL,
    units_answered integer NOT NULL,
    mention_rate numeric(5,2),
    average_position numeric(8,2),
    rank integer NOT NULL
)
PARTITION BY HASH (own_brand_id);
CREATE TABLE results.source_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL,
    domain text NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    citations integer NOT NULL,
    units_cited integer NOT NULL,
    units_mentioned integer NOT NULL,
    units_unresolved integer DEFAULT 0 NOT NULL,
    units_with_competitor integer DEFAULT 0 NOT NULL,
    units_gap integer DEFAULT 0 NOT NULL,
    prompt_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.source_pages (
    brand_id uuid NOT NULL,
    domain text NOT NULL,
    run_date date NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    url text NOT NULL,
    title text,
    citations integer NOT NULL,
    units_mentioned integer DEFAULT 0 NOT NULL,
    units_with_competitor integer DEFAULT 0 NOT NULL,
    units_gap integer DEFAULT 0 NOT NULL,
    prompt_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.unit_brands (
    own_brand_id uuid NOT NULL,
    unit_id uuid NOT NULL,
    ordinal integer NOT NULL,
    brand_id uuid NOT NULL,
    name text NOT NULL,
    domain text NOT NULL,
    is_own boolean NOT NULL,
    mentioned boolean NOT NULL,
    mention_count integer NOT NULL,
    "position" integer,
    sentiment numeric(5,2),
    cited boolean NOT NULL,
    evidence integer[],
    means_brand boolean
)
PARTITION BY HASH (own_brand_id);
CREATE TABLE results.unit_markets (
    brand_id uuid NOT NULL,
    platform text NOT NULL,
    country text NOT NULL
);
CREATE TABLE results.unit_sources (
    own_brand_id uuid NOT NULL,
    unit_id uuid NOT NULL,
    "position" integer NOT NULL,
    url text NOT NULL,
    domain text NOT NULL,
    title text,
    cited boolean NOT NULL
)
PARTITION BY HASH (own_brand_id);
CREATE TABLE results.units (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    job_id uuid,
    platform text NOT NULL,
    country text NOT NULL,
    run_date date NOT NULL,
    finalized_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    mentioned boolean NOT NULL,
    "position" integer,
    sentiment numeric(5,2),
    cited boolean NOT NULL,
    answer_text text,
    answer_truncated boolean NOT NULL,
    model text,
    search_used boolean,
    localization text NOT NULL,
    search_queries text[] NOT NULL,
    sentiment_method text,
    mention_method text,
    method_version text NOT NULL,
    surface text,
    collector text,
    sources_unresolved integer DEFAULT 0 NOT NULL,
    searched_brands text,
    others jsonb,
    informative boolean,
    CONSTRAINT units_check CHECK ((mentioned = ("position" IS NOT NULL))),
    CONSTRAINT units_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'no_answer'::text])))
)
PARTITION BY HASH (brand_id);
CREATE TABLE results.unscored_days (
    brand_id uuid NOT NULL,
    run_date date NOT NULL
);
CREATE TABLE results.window_scores (
    brand_id uuid NOT NULL,
    country text NOT NULL,
    window_days smallint NOT NULL,
    run_date date NOT NULL,
    score numeric(5,2),
    mention_rate numeric(5,2),
    mention_rate_low numeric(5,2),
    mention_rate_high numeric(5,2),
    average_position numeric(8,2),
    sentiment numeric(5,2),
    citation_rate numeric(5,2),
    share_of_voice numeric(5,2),
    units_total integer NOT NULL,
    units_answered integer NOT NULL,
    units_mentioned integer NOT NULL,
    units_cited integer NOT NULL,
    units_effective numeric(12,2) NOT NULL,
    position_sum bigint NOT NULL,
    sentiment_sum numeric(16,2) NOT NULL,
    sentiment_count integer NOT NULL,
    platforms jsonb NOT NULL,
    models jsonb NOT NULL,
    prompts_measured integer NOT NULL,
    method_version text NOT NULL,
    computed_at timestamp with time zone NOT NULL,
    units_citations_unknown integer,
    units_mentioned_cited integer,
    citation_rate_low numeric(5,2),
    citation_rate_high numeric(5,2),
    share_of_voice_low numeric(5,2),
    share_of_voice_high numeric(5,2),
    average_position_low numeric(8,2),
    average_position_high numeric(8,2),
    units_informative integer,
    informative_rate numeric(5,2),
    CONSTRAINT window_scores_window_days_check CHECK ((window_days = ANY (ARRAY[7, 28])))
)
PARTITION BY HASH (brand_id);
ALTER TABLE ONLY results.schema_migrations ALTER COLUMN id SET DEFAULT nextval('results.schema_migrations_id_seq'::regclass);
ALTER TABLE ONLY results.answered_days
    ADD CONSTRAINT answered_days_pkey PRIMARY KEY (brand_id, run_date, platform, country);
ALTER TABLE ONLY results.brand_tokens
    ADD CONSTRAINT brand_tokens_pkey PRIMARY KEY (brand_id);
ALTER TABLE ONLY results.brands
    ADD CONSTRAINT brands_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.cell_days
    ADD CONSTRAINT cell_days_pkey PRIMARY KEY (brand_id, run_date, prompt_id, country, platform, model);
ALTER TABLE ONLY results.competitor_sets
    ADD CONSTRAINT competitor_sets_pkey PRIMARY KEY (own_brand_id, id);
ALTER TABLE ONLY results.dead_letter_events
    ADD CONSTRAINT dead_letter_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.evaluated_days
    ADD CONSTRAINT evaluated_days_pkey PRIMARY KEY (brand_id, run_date);
ALTER TABLE ONLY results.experiments
    ADD CONSTRAINT experiments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.failed_attempts
    ADD CONSTRAINT failed_attempts_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY results.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY results.name_judgements
    ADD CONSTRAINT name_judgements_pkey PRIMARY KEY (brand_id, key);
ALTER TABLE ONLY results.org_purges
    ADD CONSTRAINT org_purges_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY results.orgs
    ADD CONSTRAINT orgs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.platform_days
    ADD CONSTRAINT platform_days_pkey PRIMARY KEY (run_date, platform);
ALTER TABLE ONLY results.processed_operations
    ADD CONSTRAINT processed_operations_pkey PRIMARY KEY (operation_id);
ALTER TABLE ONLY results.prompts
    ADD CONSTRAINT prompts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.reprocess_jobs
    ADD CONSTRAINT reprocess_jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.scans
    ADD CONSTRAINT scans_pkey PRIMARY KEY (job_id);
ALTER TABLE ONLY results.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY results.scores
    ADD CONSTRAINT scores_pkey PRIMARY KEY (brand_id, country, run_date);
ALTER TABLE ONLY results.share_of_voice
    ADD CONSTRAINT share_of_voice_pkey PRIMARY KEY (own_brand_id, platform, country, run_date, brand_id);
ALTER TABLE ONLY results.source_days
    ADD CONSTRAINT source_days_pkey PRIMARY KEY (brand_id, run_date, domain, platform, country);
ALTER TABLE ONLY results.unit_brands
    ADD CONSTRAINT unit_brands_pkey PRIMARY KEY (own_brand_id, unit_id, ordinal);
ALTER TABLE ONLY results.unit_markets
    ADD CONSTRAINT unit_markets_pkey PRIMARY KEY (brand_id, country, platform);
ALTER TABLE ONLY results.unit_sources
    ADD CONSTRAINT unit_sources_pkey PRIMARY KEY (own_brand_id, unit_id, "position");
ALTER TABLE ONLY results.units
    ADD CONSTRAINT units_pkey PRIMARY KEY (brand_id, id);
ALTER TABLE ONLY results.unscored_days
    ADD CONSTRAINT unscored_days_pkey PRIMARY KEY (brand_id, run_date);
ALTER TABLE ONLY results.window_scores
    ADD CONSTRAINT window_scores_pkey PRIMARY KEY (brand_id, country, window_days, run_date);
CREATE INDEX brand_tokens_org ON results.brand_tokens USING btree (org_id);
CREATE INDEX brands_by_competitor ON results.brands USING gin (competitor_ids);
CREATE INDEX brands_org ON results.brands USING btree (org_id);
CREATE INDEX brands_own_by_org ON results.brands USING btree (org_id, id) WHERE (is_own AND (sunset_at IS NULL));
CREATE INDEX dead_letter_events_created ON results.dead_letter_events USING btree (created_at DESC, id DESC);
CREATE INDEX dead_letter_events_ids ON results.dead_letter_events USING gin (results.envelope_ids(envelope)) WITH (fastupdate=off);
CREATE UNIQUE INDEX dead_letter_events_message ON results.dead_letter_events USING btree (consumer, message_id);
CREATE INDEX experiments_by_brand ON results.experiments USING btree (brand_id, created_at DESC, id DESC);
CREATE INDEX experiments_open ON results.experiments USING btree (post_to) WHERE ((stopped_at IS NULL) AND (completed_at IS NULL));
CREATE INDEX experiments_org ON results.experiments USING btree (org_id);
CREATE INDEX experiments_outdated ON results.experiments USING btree (id) WHERE is_outdated;
CREATE INDEX inbox_received ON results.inbox USING brin (received_at) WITH (autosummarize='on');
CREATE INDEX name_days_by_day ON ONLY results.name_days USING btree (brand_id, run_date);
CREATE INDEX outbox_sent ON results.outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);
CREATE INDEX outbox_unsent ON results.outbox USING btree (created_at) WHERE (sent_at IS NULL);
CREATE INDEX processed_operations_created_at_idx ON results.processed_operations USING btree (created_at);
CREATE INDEX processed_operations_org ON results.processed_operations USING btree (org_id) WHERE (org_id IS NOT NULL);
CREATE INDEX prompts_active_by_brand ON results.prompts USING btree (brand_id) WHERE active;
CREATE INDEX prompts_by_brand ON results.prompts USING btree (brand_id);
CREATE INDEX prompts_org ON results.prompts USING btree (org_id);
CREATE INDEX reprocess_jobs_ended ON results.reprocess_jobs USING btree (completed_at) WHERE (completed_at IS NOT NULL);
CREATE UNIQUE INDEX reprocess_jobs_open ON results.reprocess_jobs USING btree (brand_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX reprocess_jobs_org ON results.reprocess_jobs USING btree (org_id);
CREATE INDEX reprocess_jobs_queue ON results.reprocess_jobs USING btree (by_operator, leased_until, id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX scans_by_brand ON results.scans USING btree (brand_id, queued_at DESC);
CREATE INDEX scans_finalising ON results.scans USING btree (brand_id) WHERE (finalising_until IS NOT NULL);
CREATE INDEX scans_in_progress ON results.scans USING btree (brand_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX scans_org ON results.scans USING btree (org_id);
CREATE INDEX share_of_voice_by_rank ON ONLY results.share_of_voice USING btree (own_brand_id, platform, country, run_date DESC, rank, brand_id);
CREATE UNIQUE INDEX source_pages_key ON ONLY results.source_pages USING btree (brand_id, domain, run_date, platform, country, md5(url));
CREATE INDEX units_by_brand ON ONLY results.units USING btree (brand_id, run_date DESC, finalized_at DESC, id DESC);
CREATE INDEX units_by_job ON ONLY results.units USING btree (job_id) WHERE (job_id IS NOT NULL);
CREATE INDEX units_by_prompt ON ONLY results.units USING btree (prompt_id, brand_id, run_date DESC, finalized_at DESC, id DESC);
CREATE INDEX units_imported ON ONLY results.units USING btree (brand_id, run_date) WHERE (job_id IS NULL);
CREATE INDEX units_verified ON ONLY results.units USING btree (brand_id, run_date) WHERE (mention_method = 'words+llm'::text);
