CREATE FUNCTION scans.envelope_ids(envelope jsonb) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select array(
    select distinct found[1]::uuid
    from regexp_matches(envelope::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') found)
$$;
CREATE TABLE scans.answer_months (
    month date NOT NULL,
    org_id uuid NOT NULL,
    units integer NOT NULL,
    cost_usd numeric(14,6)
);
CREATE TABLE scans.brands (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    is_own boolean NOT NULL,
    sunset_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    slot_second integer NOT NULL,
    name text NOT NULL,
    domain text NOT NULL,
    aliases text[] NOT NULL,
    match jsonb NOT NULL,
    competitor_ids uuid[] NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT brands_slot_second_check CHECK (((slot_second >= 0) AND (slot_second <= 86399)))
);
CREATE TABLE scans.dead_letter_events (
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
CREATE TABLE scans.failed_attempts (
    consumer text NOT NULL,
    message_id text NOT NULL,
    attempts integer NOT NULL,
    last_failed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE scans.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE scans.judge_spending (
    month date NOT NULL,
    spent_usd numeric(14,6) NOT NULL,
    CONSTRAINT judge_spending_spent_usd_check CHECK ((spent_usd >= (0)::numeric))
);
CREATE TABLE scans.org_allowances (
    org_id uuid NOT NULL,
    month date NOT NULL,
    used integer DEFAULT 0 NOT NULL,
    credits integer DEFAULT 0 NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT org_allowances_credits_check CHECK ((credits >= 0)),
    CONSTRAINT org_allowances_used_check CHECK ((used >= 0))
);
CREATE TABLE scans.org_purges (
    org_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    checked_at timestamp with time zone,
    removed jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE scans.orgs (
    id uuid NOT NULL,
    tier text NOT NULL,
    on_demand_scans boolean NOT NULL,
    manual_scans integer,
    deleted_at timestamp with time zone,
    version bigint NOT NULL
);
CREATE TABLE scans.outbox (
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
CREATE TABLE scans.processed_operations (
    operation_id uuid NOT NULL,
    operation text NOT NULL,
    status integer,
    body json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    org_id uuid
);
CREATE TABLE scans.rate_buckets (
    platform text NOT NULL,
    next_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    virtual_time bigint DEFAULT 0 NOT NULL
);
CREATE TABLE scans.scan_jobs (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    trigger text NOT NULL,
    run_date date NOT NULL,
    idempotency_key text NOT NULL,
    units_total integer NOT NULL,
    units_answered integer DEFAULT 0 NOT NULL,
    units_no_answer integer DEFAULT 0 NOT NULL,
    units_failed integer DEFAULT 0 NOT NULL,
    platforms text[] NOT NULL,
    countries text[] NOT NULL,
    tracked_brands jsonb NOT NULL,
    brand_as_of timestamp with time zone NOT NULL,
    charged text NOT NULL,
    charged_month date,
    queued_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    version bigint DEFAULT 1 NOT NULL,
    traceparent text,
    CONSTRAINT scan_jobs_charged_check CHECK ((charged = ANY (ARRAY['allowance'::text, 'credit'::text, 'none'::text]))),
    CONSTRAINT scan_jobs_check CHECK ((((units_answered + units_no_answer) + units_failed) <= units_total)),
    CONSTRAINT scan_jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'partial'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT scan_jobs_trigger_check CHECK ((trigger = ANY (ARRAY['manual'::text, 'scheduled'::text]))),
    CONSTRAINT scan_jobs_units_total_check CHECK ((units_total > 0))
);
CREATE TABLE scans.scan_units (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    job_id uuid NOT NULL,
    prompt_id uuid NOT NULL,
    prompt_text text NOT NULL,
    platform text NOT NULL,
    country text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lease_ended_at timestamp with time zone,
    fencing_token bigint DEFAULT 0 NOT NULL,
    virtual_time bigint DEFAULT 0 NOT NULL,
    cost_usd numeric(12,6),
    latency_ms integer,
    error_kind text,
    sentiment_method text,
    finalized_at timestamp with time zone,
    CONSTRAINT scan_units_sentiment_method_check CHECK ((sentiment_method = ANY (ARRAY['lexicon'::text, 'llm'::text]))),
    CONSTRAINT scan_units_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'answered'::text, 'no_answer'::text, 'failed'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='2000');
CREATE TABLE scans.schedule_runs (
    brand_id uuid NOT NULL,
    run_date date NOT NULL
);
CREATE TABLE scans.schema_migrations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);
CREATE SEQUENCE scans.schema_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE scans.schema_migrations_id_seq OWNED BY scans.schema_migrations.id;
CREATE TABLE scans.virtual_times (
    org_id uuid NOT NULL,
    platform text NOT NULL,
    virtual_time bigint NOT NULL
);
CREATE TABLE scans.worker_settings (
    is_only boolean DEFAULT true NOT NULL,
    platforms jsonb NOT NULL,
    llm_model text,
    prices jsonb NOT NULL,
    CONSTRAINT worker_settings_is_only_check CHECK (is_only)
);
ALTER TABLE ONLY scans.schema_migrations ALTER COLUMN id SET DEFAULT nextval('scans.schema_migrations_id_seq'::regclass);
ALTER TABLE ONLY scans.answer_months
    ADD CONSTRAINT answer_months_pkey PRIMARY KEY (month, org_id);
ALTER TABLE ONLY scans.brands
    ADD CONSTRAINT brands_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scans.dead_letter_events
    ADD CONSTRAINT dead_letter_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scans.failed_attempts
    ADD CONSTRAINT failed_attempts_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY scans.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY scans.judge_spending
    ADD CONSTRAINT judge_spending_pkey PRIMARY KEY (month);
ALTER TABLE ONLY scans.org_allowances
    ADD CONSTRAINT org_allowances_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY scans.org_purges
    ADD CONSTRAINT org_purges_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY scans.orgs
    ADD CONSTRAINT orgs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scans.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scans.processed_operations
    ADD CONSTRAINT processed_operations_pkey PRIMARY KEY (operation_id);
ALTER TABLE ONLY scans.rate_buckets
    ADD CONSTRAINT rate_buckets_pkey PRIMARY KEY (platform);
ALTER TABLE ONLY scans.scan_jobs
    ADD CONSTRAINT scan_jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scans.scan_units
    ADD CONSTRAINT scan_units_job_id_prompt_id_platform_country_key UNIQUE (job_id, prompt_id, platform, country);
ALTER TABLE ONLY scans.scan_units
    ADD CONSTRAINT scan_units_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scans.schedule_runs
    ADD CONSTRAINT schedule_runs_pkey PRIMARY KEY (brand_id, run_date);
ALTER TABLE ONLY scans.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY scans.virtual_times
    ADD CONSTRAINT virtual_times_pkey PRIMARY KEY (org_id, platform);
ALTER TABLE ONLY scans.worker_settings
    ADD CONSTRAINT worker_settings_pkey PRIMARY KEY (is_only);
CREATE INDEX brands_by_slot ON scans.brands USING btree (slot_second, id) WHERE (is_own AND (sunset_at IS NULL));
CREATE INDEX brands_org ON scans.brands USING btree (org_id);
CREATE INDEX dead_letter_events_created ON scans.dead_letter_events USING btree (created_at DESC, id DESC);
CREATE INDEX dead_letter_events_ids ON scans.dead_letter_events USING gin (scans.envelope_ids(envelope)) WITH (fastupdate=off);
CREATE UNIQUE INDEX dead_letter_events_message ON scans.dead_letter_events USING btree (consumer, message_id);
CREATE INDEX inbox_received ON scans.inbox USING brin (received_at) WITH (autosummarize='on');
CREATE INDEX outbox_sent ON scans.outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);
CREATE INDEX outbox_unsent ON scans.outbox USING btree (created_at) WHERE (sent_at IS NULL);
CREATE INDEX processed_operations_created_at_idx ON scans.processed_operations USING btree (created_at);
CREATE INDEX processed_operations_org ON scans.processed_operations USING btree (org_id) WHERE (org_id IS NOT NULL);
CREATE INDEX scan_jobs_ended ON scans.scan_jobs USING btree (completed_at) WHERE (status <> ALL (ARRAY['queued'::text, 'running'::text]));
CREATE UNIQUE INDEX scan_jobs_open ON scans.scan_jobs USING btree (brand_id, run_date) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX scan_jobs_org ON scans.scan_jobs USING btree (org_id);
CREATE INDEX scan_units_pending ON scans.scan_units USING btree (platform, virtual_time, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX scan_units_running ON scans.scan_units USING btree (platform, next_attempt_at) WHERE (status = 'running'::text);
CREATE INDEX schedule_runs_by_date ON scans.schedule_runs USING btree (run_date);
ALTER TABLE ONLY scans.scan_units
    ADD CONSTRAINT scan_units_job_id_fkey FOREIGN KEY (job_id) REFERENCES scans.scan_jobs(id);
