CREATE FUNCTION gateway.envelope_ids(envelope jsonb) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select array(
    select distinct found[1]::uuid
    from regexp_matches(envelope::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') found)
$$;
CREATE TABLE gateway.api_keys (
    id uuid NOT NULL,
    key_hash bytea NOT NULL,
    pepper_id integer NOT NULL,
    key_prefix text NOT NULL,
    name text,
    org_id uuid,
    partner_id uuid,
    scopes text[] NOT NULL,
    per_minute integer NOT NULL,
    monthly_quota bigint,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT api_keys_monthly_quota_check CHECK ((monthly_quota >= 0)),
    CONSTRAINT api_keys_one_owner CHECK ((num_nonnulls(org_id, partner_id) = 1)),
    CONSTRAINT api_keys_per_minute_check CHECK ((per_minute > 0))
);
CREATE TABLE gateway.dead_letter_events (
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
CREATE TABLE gateway.failed_attempts (
    consumer text NOT NULL,
    message_id text NOT NULL,
    attempts integer NOT NULL,
    last_failed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE gateway.idempotency_keys (
    owner_kind text NOT NULL,
    owner_id uuid NOT NULL,
    key text NOT NULL,
    operation text NOT NULL,
    fingerprint bytea NOT NULL,
    operation_id uuid NOT NULL,
    lease_token uuid NOT NULL,
    lease_expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    status smallint,
    content_type text,
    key_id smallint,
    body bytea,
    CONSTRAINT idempotency_keys_owner_kind_check CHECK ((owner_kind = ANY (ARRAY['organisation'::text, 'partner'::text])))
);
CREATE TABLE gateway.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE gateway.org_access (
    org_id uuid NOT NULL,
    name text NOT NULL,
    tier text NOT NULL,
    api_access boolean NOT NULL,
    version bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone
);
CREATE TABLE gateway.org_purges (
    org_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    checked_at timestamp with time zone,
    removed jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE gateway.outbox (
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
CREATE TABLE gateway.partner_links (
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    scope text NOT NULL,
    external_ref text,
    active boolean DEFAULT true NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT partner_links_scope_check CHECK ((scope = ANY (ARRAY['read_only'::text, 'read_write'::text])))
);
CREATE TABLE gateway.partners (
    id uuid NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT partners_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);
CREATE TABLE gateway.processed_operations (
    operation_id uuid NOT NULL,
    operation text NOT NULL,
    status integer,
    body json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    org_id uuid
);
CREATE TABLE gateway.quota_leases (
    key_id uuid NOT NULL,
    month integer NOT NULL,
    leased bigint DEFAULT 0 NOT NULL,
    granted bigint DEFAULT 0 NOT NULL,
    used bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE gateway.schema_migrations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);
CREATE SEQUENCE gateway.schema_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE gateway.schema_migrations_id_seq OWNED BY gateway.schema_migrations.id;
ALTER TABLE ONLY gateway.schema_migrations ALTER COLUMN id SET DEFAULT nextval('gateway.schema_migrations_id_seq'::regclass);
ALTER TABLE ONLY gateway.api_keys
    ADD CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash);
ALTER TABLE ONLY gateway.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY gateway.dead_letter_events
    ADD CONSTRAINT dead_letter_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY gateway.failed_attempts
    ADD CONSTRAINT failed_attempts_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY gateway.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (owner_kind, owner_id, key);
ALTER TABLE ONLY gateway.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY gateway.org_access
    ADD CONSTRAINT org_access_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY gateway.org_purges
    ADD CONSTRAINT org_purges_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY gateway.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY gateway.partner_links
    ADD CONSTRAINT partner_links_pkey PRIMARY KEY (partner_id, org_id);
ALTER TABLE ONLY gateway.partners
    ADD CONSTRAINT partners_pkey PRIMARY KEY (id);
ALTER TABLE ONLY gateway.processed_operations
    ADD CONSTRAINT processed_operations_pkey PRIMARY KEY (operation_id);
ALTER TABLE ONLY gateway.quota_leases
    ADD CONSTRAINT quota_leases_pkey PRIMARY KEY (key_id, month);
ALTER TABLE ONLY gateway.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (id);
CREATE INDEX api_keys_org ON gateway.api_keys USING btree (org_id, id) WHERE (org_id IS NOT NULL);
CREATE INDEX api_keys_partner ON gateway.api_keys USING btree (partner_id, id) WHERE (partner_id IS NOT NULL);
CREATE INDEX dead_letter_events_created ON gateway.dead_letter_events USING btree (created_at DESC, id DESC);
CREATE INDEX dead_letter_events_ids ON gateway.dead_letter_events USING gin (gateway.envelope_ids(envelope)) WITH (fastupdate=off);
CREATE UNIQUE INDEX dead_letter_events_message ON gateway.dead_letter_events USING btree (consumer, message_id);
CREATE INDEX idempotency_keys_age ON gateway.idempotency_keys USING btree (COALESCE(completed_at, created_at));
CREATE INDEX inbox_received ON gateway.inbox USING brin (received_at) WITH (autosummarize='on');
CREATE INDEX outbox_sent ON gateway.outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);
CREATE INDEX outbox_unsent ON gateway.outbox USING btree (created_at) WHERE (sent_at IS NULL);
CREATE INDEX partner_links_org ON gateway.partner_links USING btree (org_id);
CREATE INDEX processed_operations_created_at_idx ON gateway.processed_operations USING btree (created_at);
CREATE INDEX processed_operations_org ON gateway.processed_operations USING btree (org_id) WHERE (org_id IS NOT NULL);
ALTER TABLE ONLY gateway.api_keys
    ADD CONSTRAINT api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES gateway.org_access(org_id);
ALTER TABLE ONLY gateway.api_keys
    ADD CONSTRAINT api_keys_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES gateway.partners(id);
ALTER TABLE ONLY gateway.partner_links
    ADD CONSTRAINT partner_links_org_id_fkey FOREIGN KEY (org_id) REFERENCES gateway.org_access(org_id);
ALTER TABLE ONLY gateway.partner_links
    ADD CONSTRAINT partner_links_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES gateway.partners(id);
ALTER TABLE ONLY gateway.quota_leases
    ADD CONSTRAINT quota_leases_key_id_fkey FOREIGN KEY (key_id) REFERENCES gateway.api_keys(id);
