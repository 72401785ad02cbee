CREATE FUNCTION webhooks.envelope_ids(envelope jsonb) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select array(
    select distinct found[1]::uuid
    from regexp_matches(envelope::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') found)
$$;
CREATE TABLE webhooks.attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    outcome text NOT NULL,
    error text,
    status_code integer,
    duration_ms integer,
    dispatcher text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT attempts_outcome_check CHECK ((outcome = ANY (ARRAY['running'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text])))
);
CREATE TABLE webhooks.brands (
    id uuid NOT NULL,
    org_id uuid NOT NULL,
    is_own boolean NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE webhooks.change_states (
    endpoint_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    metric text NOT NULL,
    country text NOT NULL,
    window_days integer NOT NULL,
    run_date date NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE webhooks.dead_letter_events (
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
CREATE TABLE webhooks.deliveries (
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    subscription_id uuid,
    partner_id uuid NOT NULL,
    org_id uuid,
    event_type text NOT NULL,
    is_ping boolean NOT NULL,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    schedule_attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    lease_token uuid,
    lease_expires_at timestamp with time zone,
    last_status_code integer,
    last_duration_ms integer,
    last_error text,
    last_response_snippet text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT deliveries_lease CHECK (((status = 'delivering'::text) = ((lease_token IS NOT NULL) AND (lease_expires_at IS NOT NULL)))),
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivering'::text, 'succeeded'::text, 'dead'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE webhooks.endpoint_secrets (
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    ciphertext text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone
);
CREATE TABLE webhooks.endpoints (
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    url text NOT NULL,
    description text NOT NULL,
    status text NOT NULL,
    verified_at timestamp with time zone,
    generation integer DEFAULT 0 NOT NULL,
    consecutive_failures integer DEFAULT 0 NOT NULL,
    first_failure_at timestamp with time zone,
    last_failure_at timestamp with time zone,
    last_success_at timestamp with time zone,
    breaker_level integer DEFAULT 0 NOT NULL,
    breaker_until timestamp with time zone,
    window_started_at timestamp with time zone,
    window_attempts integer DEFAULT 0 NOT NULL,
    window_failures integer DEFAULT 0 NOT NULL,
    next_lease_at timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    secret_rotated_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT endpoints_status_check CHECK ((status = ANY (ARRAY['pending_verification'::text, 'active'::text, 'failing'::text, 'disabled'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE webhooks.events (
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid,
    type text NOT NULL,
    dedupe_key text NOT NULL,
    body text NOT NULL,
    traceparent text,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE webhooks.failed_attempts (
    consumer text NOT NULL,
    message_id text NOT NULL,
    attempts integer NOT NULL,
    last_failed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE webhooks.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE webhooks.links (
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    external_ref text,
    active boolean NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE webhooks.org_purges (
    org_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    checked_at timestamp with time zone,
    removed jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE webhooks.orgs (
    id uuid NOT NULL,
    deleted_at timestamp with time zone,
    version bigint NOT NULL
);
CREATE TABLE webhooks.outbox (
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
CREATE TABLE webhooks.partners (
    id uuid NOT NULL,
    status text NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT partners_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);
CREATE TABLE webhooks.processed_operations (
    operation_id uuid NOT NULL,
    operation text NOT NULL,
    status integer,
    body json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    org_id uuid
);
CREATE TABLE webhooks.schema_migrations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);
CREATE SEQUENCE webhooks.schema_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE webhooks.schema_migrations_id_seq OWNED BY webhooks.schema_migrations.id;
CREATE TABLE webhooks.subscriptions (
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_type text NOT NULL,
    org_id uuid,
    brand_id uuid,
    threshold double precision,
    direction text,
    country text,
    metric text,
    window_days integer,
    confidence double precision,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT subscriptions_confidence_check CHECK ((confidence = ANY (ARRAY[(0.95)::double precision, (0.99)::double precision, (0.999)::double precision, (0.9999)::double precision]))),
    CONSTRAINT subscriptions_direction_check CHECK ((direction = ANY (ARRAY['up'::text, 'down'::text, 'both'::text]))),
    CONSTRAINT subscriptions_metric_check CHECK ((metric = ANY (ARRAY['score'::text, 'mention_rate'::text, 'sentiment'::text, 'citation_rate'::text]))),
    CONSTRAINT subscriptions_window_days_check CHECK ((window_days = ANY (ARRAY[7, 28])))
);
CREATE TABLE webhooks.threshold_states (
    partner_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    metric text NOT NULL,
    country text NOT NULL,
    threshold double precision NOT NULL,
    value double precision,
    side text GENERATED ALWAYS AS (
CASE
    WHEN (value IS NULL) THEN NULL::text
    WHEN (value >= threshold) THEN 'above'::text
    ELSE 'below'::text
END) STORED,
    run_date date,
    change_token timestamp with time zone,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT threshold_states_metric_check CHECK ((metric = ANY (ARRAY['score'::text, 'sentiment'::text])))
)
WITH (fillfactor='70');
ALTER TABLE ONLY webhooks.schema_migrations ALTER COLUMN id SET DEFAULT nextval('webhooks.schema_migrations_id_seq'::regclass);
ALTER TABLE ONLY webhooks.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (delivery_id, number);
ALTER TABLE ONLY webhooks.brands
    ADD CONSTRAINT brands_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.change_states
    ADD CONSTRAINT change_states_pkey PRIMARY KEY (endpoint_id, brand_id, metric, country, window_days);
ALTER TABLE ONLY webhooks.dead_letter_events
    ADD CONSTRAINT dead_letter_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.deliveries
    ADD CONSTRAINT deliveries_once UNIQUE (event_id, endpoint_id);
ALTER TABLE ONLY webhooks.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.endpoint_secrets
    ADD CONSTRAINT endpoint_secrets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.endpoints
    ADD CONSTRAINT endpoints_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.events
    ADD CONSTRAINT events_once UNIQUE (partner_id, dedupe_key);
ALTER TABLE ONLY webhooks.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.failed_attempts
    ADD CONSTRAINT failed_attempts_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY webhooks.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY webhooks.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (partner_id, org_id);
ALTER TABLE ONLY webhooks.org_purges
    ADD CONSTRAINT org_purges_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY webhooks.orgs
    ADD CONSTRAINT orgs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.partners
    ADD CONSTRAINT partners_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.processed_operations
    ADD CONSTRAINT processed_operations_pkey PRIMARY KEY (operation_id);
ALTER TABLE ONLY webhooks.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.subscriptions
    ADD CONSTRAINT subscriptions_equal UNIQUE NULLS NOT DISTINCT (endpoint_id, event_type, org_id, brand_id, threshold, direction, country, metric, window_days, confidence);
ALTER TABLE ONLY webhooks.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.threshold_states
    ADD CONSTRAINT threshold_states_pkey PRIMARY KEY (partner_id, brand_id, metric, country, threshold);
CREATE INDEX brands_org ON webhooks.brands USING btree (org_id);
CREATE INDEX change_states_brand ON webhooks.change_states USING btree (brand_id);
CREATE INDEX change_states_updated ON webhooks.change_states USING btree (updated_at);
CREATE INDEX dead_letter_events_created ON webhooks.dead_letter_events USING btree (created_at DESC, id DESC);
CREATE INDEX dead_letter_events_ids ON webhooks.dead_letter_events USING gin (webhooks.envelope_ids(envelope)) WITH (fastupdate=off);
CREATE UNIQUE INDEX dead_letter_events_message ON webhooks.dead_letter_events USING btree (consumer, message_id);
CREATE INDEX deliveries_created ON webhooks.deliveries USING btree (created_at);
CREATE INDEX deliveries_due ON webhooks.deliveries USING btree (endpoint_id, is_ping, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX deliveries_lease_expires ON webhooks.deliveries USING btree (lease_expires_at) WHERE (status = 'delivering'::text);
CREATE INDEX deliveries_leased ON webhooks.deliveries USING btree (endpoint_id) WHERE (status = 'delivering'::text);
CREATE INDEX deliveries_leased_partner ON webhooks.deliveries USING btree (partner_id) WHERE (status = 'delivering'::text);
CREATE INDEX deliveries_log ON webhooks.deliveries USING btree (endpoint_id, created_at DESC, id DESC);
CREATE INDEX deliveries_log_status ON webhooks.deliveries USING btree (endpoint_id, status, created_at DESC, id DESC);
CREATE UNIQUE INDEX endpoint_secrets_current ON webhooks.endpoint_secrets USING btree (endpoint_id) WHERE (expires_at IS NULL);
CREATE INDEX endpoint_secrets_endpoint ON webhooks.endpoint_secrets USING btree (endpoint_id);
CREATE INDEX endpoints_next_lease ON webhooks.endpoints USING btree (next_lease_at) WHERE (deleted_at IS NULL);
CREATE INDEX endpoints_partner ON webhooks.endpoints USING btree (partner_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX events_created ON webhooks.events USING btree (created_at);
CREATE INDEX events_org ON webhooks.events USING btree (org_id) WHERE (org_id IS NOT NULL);
CREATE INDEX inbox_received ON webhooks.inbox USING brin (received_at) WITH (autosummarize='on');
CREATE INDEX links_by_org ON webhooks.links USING btree (org_id);
CREATE INDEX links_org ON webhooks.links USING btree (org_id) WHERE active;
CREATE INDEX outbox_sent ON webhooks.outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);
CREATE INDEX outbox_unsent ON webhooks.outbox USING btree (created_at) WHERE (sent_at IS NULL);
CREATE INDEX processed_operations_created_at_idx ON webhooks.processed_operations USING btree (created_at);
CREATE INDEX processed_operations_org ON webhooks.processed_operations USING btree (org_id) WHERE (org_id IS NOT NULL);
CREATE INDEX subscriptions_endpoint ON webhooks.subscriptions USING btree (endpoint_id, created_at, id);
CREATE INDEX subscriptions_org ON webhooks.subscriptions USING btree (org_id) WHERE (org_id IS NOT NULL);
CREATE INDEX threshold_states_brand ON webhooks.threshold_states USING btree (brand_id);
CREATE INDEX threshold_states_updated ON webhooks.threshold_states USING btree (updated_at);
ALTER TABLE ONLY webhooks.attempts
    ADD CONSTRAINT attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhooks.deliveries(id) ON DELETE CASCADE;
ALTER TABLE ONLY webhooks.change_states
    ADD CONSTRAINT change_states_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhooks.endpoints(id) ON DELETE CASCADE;
ALTER TABLE ONLY webhooks.deliveries
    ADD CONSTRAINT deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhooks.endpoints(id);
ALTER TABLE ONLY webhooks.deliveries
    ADD CONSTRAINT deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhooks.events(id);
ALTER TABLE ONLY webhooks.endpoint_secrets
    ADD CONSTRAINT endpoint_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhooks.endpoints(id) ON DELETE CASCADE;
ALTER TABLE ONLY webhooks.subscriptions
    ADD CONSTRAINT subscriptions_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhooks.endpoints(id) ON DELETE CASCADE;
