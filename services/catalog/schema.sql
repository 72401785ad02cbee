CREATE FUNCTION catalog.count_prompts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION catalog.count_prompts_of_brand() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION catalog.envelope_ids(envelope jsonb) RETURNS uuid[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select array(
    select distinct found[1]::uuid
    from regexp_matches(envelope::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'gi') found)
$$;
CREATE FUNCTION catalog.prompt_keys(org_id uuid, active boolean, tags text[], countries text[], platforms text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select array(select org_id || ' active ' || active where active is not null)
    || array(select org_id || ' tag ' || tag from unnest(tags) tag where tag is not null)
    || array(select org_id || ' country ' || country from unnest(countries) country where country is not null)
    || array(select org_id || ' platform ' || platform from unnest(platforms) platform where platform is not null)
$$;
CREATE TABLE catalog.brand_changes (
    brand_id uuid NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE catalog.brand_competitors (
    brand_id uuid NOT NULL,
    competitor_id uuid NOT NULL,
    org_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE catalog.brands (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    org_id uuid NOT NULL,
    is_own boolean NOT NULL,
    name text NOT NULL,
    domain text NOT NULL,
    external_ref text,
    geography text DEFAULT 'global'::text NOT NULL,
    aliases text[] DEFAULT '{}'::text[] NOT NULL,
    match_rules jsonb DEFAULT '{"verify": false, "exclude": [], "case_sensitive": false}'::jsonb NOT NULL,
    sunset_at timestamp with time zone,
    version bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE catalog.dead_letter_events (
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
CREATE TABLE catalog.failed_attempts (
    consumer text NOT NULL,
    message_id text NOT NULL,
    attempts integer NOT NULL,
    last_failed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE catalog.inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE catalog.operation_progress (
    operation_id uuid NOT NULL,
    attempt integer DEFAULT 1 NOT NULL,
    brand_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE catalog.operation_steps (
    ordinal bigint NOT NULL,
    operation_id uuid NOT NULL,
    "position" integer,
    outcome json NOT NULL
);
ALTER TABLE catalog.operation_steps ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME catalog.operation_steps_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE catalog.org_purges (
    org_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    checked_at timestamp with time zone,
    removed jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE catalog.orgs (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    tier text NOT NULL,
    overrides jsonb DEFAULT '{}'::jsonb NOT NULL,
    retention jsonb DEFAULT '{"unit_days": null, "answer_text_days": null}'::jsonb NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    deleted_at timestamp with time zone,
    purge_requested_at timestamp with time zone
);
CREATE TABLE catalog.outbox (
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
CREATE TABLE catalog.processed_operations (
    operation_id uuid NOT NULL,
    operation text NOT NULL,
    status integer,
    body json,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    org_id uuid
);
CREATE TABLE catalog.prompt_counts (
    org_id uuid NOT NULL,
    country text NOT NULL,
    active_prompts bigint NOT NULL
);
CREATE TABLE catalog.prompts (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    org_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    text text NOT NULL,
    text_identity bytea NOT NULL,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    countries text[] NOT NULL,
    platforms text[] NOT NULL,
    active boolean DEFAULT true NOT NULL,
    source text NOT NULL,
    created_by_key_id uuid,
    version bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT prompts_text_identity_check CHECK ((octet_length(text_identity) = 32))
);
CREATE TABLE catalog.scan_allowances (
    org_id uuid NOT NULL,
    used integer NOT NULL,
    "limit" integer,
    remaining integer,
    resets_at timestamp with time zone NOT NULL,
    scan_credits integer NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE catalog.schema_migrations (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);
CREATE SEQUENCE catalog.schema_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE catalog.schema_migrations_id_seq OWNED BY catalog.schema_migrations.id;
CREATE TABLE catalog.tiers (
    name text NOT NULL,
    api_access boolean NOT NULL,
    on_demand_scans boolean NOT NULL,
    prompts integer,
    own_brands integer,
    countries integer,
    competitors_per_brand integer NOT NULL,
    manual_scans integer,
    CONSTRAINT tiers_competitors_per_brand_check CHECK (((competitors_per_brand >= 0) AND (competitors_per_brand <= 250))),
    CONSTRAINT tiers_countries_check CHECK ((countries >= 0)),
    CONSTRAINT tiers_manual_scans_check CHECK ((manual_scans >= 0)),
    CONSTRAINT tiers_own_brands_check CHECK ((own_brands >= 0)),
    CONSTRAINT tiers_prompts_check CHECK ((prompts >= 0))
);
ALTER TABLE ONLY catalog.schema_migrations ALTER COLUMN id SET DEFAULT nextval('catalog.schema_migrations_id_seq'::regclass);
ALTER TABLE ONLY catalog.brand_changes
    ADD CONSTRAINT brand_changes_pkey PRIMARY KEY (brand_id);
ALTER TABLE ONLY catalog.brand_competitors
    ADD CONSTRAINT brand_competitors_pkey PRIMARY KEY (brand_id, competitor_id);
ALTER TABLE ONLY catalog.brands
    ADD CONSTRAINT brands_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalog.dead_letter_events
    ADD CONSTRAINT dead_letter_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalog.failed_attempts
    ADD CONSTRAINT failed_attempts_pkey PRIMARY KEY (consumer, message_id);
ALTER TABLE ONLY catalog.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id);
ALTER TABLE ONLY catalog.operation_progress
    ADD CONSTRAINT operation_progress_pkey PRIMARY KEY (operation_id);
ALTER TABLE ONLY catalog.operation_steps
    ADD CONSTRAINT operation_steps_pkey PRIMARY KEY (ordinal);
ALTER TABLE ONLY catalog.org_purges
    ADD CONSTRAINT org_purges_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY catalog.orgs
    ADD CONSTRAINT orgs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalog.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalog.processed_operations
    ADD CONSTRAINT processed_operations_pkey PRIMARY KEY (operation_id);
ALTER TABLE ONLY catalog.prompt_counts
    ADD CONSTRAINT prompt_counts_pkey PRIMARY KEY (org_id, country);
ALTER TABLE ONLY catalog.prompts
    ADD CONSTRAINT prompts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalog.scan_allowances
    ADD CONSTRAINT scan_allowances_pkey PRIMARY KEY (org_id);
ALTER TABLE ONLY catalog.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY catalog.tiers
    ADD CONSTRAINT tiers_pkey PRIMARY KEY (name);
CREATE INDEX brand_competitors_by_competitor ON catalog.brand_competitors USING btree (competitor_id);
CREATE INDEX brand_competitors_by_org ON catalog.brand_competitors USING btree (org_id, brand_id);
CREATE UNIQUE INDEX brands_competitor_domain ON catalog.brands USING btree (org_id, domain) WHERE (NOT is_own);
CREATE UNIQUE INDEX brands_external_ref ON catalog.brands USING btree (org_id, external_ref) WHERE (external_ref IS NOT NULL);
CREATE INDEX brands_listed ON catalog.brands USING btree (org_id, created_at, id) WHERE (sunset_at IS NULL);
CREATE INDEX brands_listed_by_kind ON catalog.brands USING btree (org_id, is_own, created_at, id) WHERE (sunset_at IS NULL);
CREATE INDEX brands_of_organisation ON catalog.brands USING btree (org_id, created_at, id);
CREATE UNIQUE INDEX brands_own_domain ON catalog.brands USING btree (org_id, domain) WHERE is_own;
CREATE INDEX dead_letter_events_created ON catalog.dead_letter_events USING btree (created_at DESC, id DESC);
CREATE INDEX dead_letter_events_ids ON catalog.dead_letter_events USING gin (catalog.envelope_ids(envelope)) WITH (fastupdate=off);
CREATE UNIQUE INDEX dead_letter_events_message ON catalog.dead_letter_events USING btree (consumer, message_id);
CREATE INDEX inbox_received ON catalog.inbox USING brin (received_at) WITH (autosummarize='on');
CREATE INDEX operation_progress_brand ON catalog.operation_progress USING btree (brand_id) WHERE (brand_id IS NOT NULL);
CREATE INDEX operation_progress_created ON catalog.operation_progress USING btree (created_at);
CREATE UNIQUE INDEX operation_steps_position ON catalog.operation_steps USING btree (operation_id, "position");
CREATE INDEX orgs_listed ON catalog.orgs USING btree (id) WHERE (deleted_at IS NULL);
CREATE INDEX outbox_sent ON catalog.outbox USING btree (sent_at) WHERE (sent_at IS NOT NULL);
CREATE INDEX outbox_unsent ON catalog.outbox USING btree (created_at) WHERE (sent_at IS NULL);
CREATE INDEX processed_operations_created_at_idx ON catalog.processed_operations USING btree (created_at);
CREATE INDEX processed_operations_org ON catalog.processed_operations USING btree (org_id) WHERE (org_id IS NOT NULL);
CREATE UNIQUE INDEX prompts_active_text ON catalog.prompts USING btree (brand_id, text_identity) WHERE active;
CREATE INDEX prompts_filtered ON catalog.prompts USING gin (catalog.prompt_keys(org_id, active, tags, countries, platforms)) WITH (fastupdate=off);
CREATE INDEX prompts_listed ON catalog.prompts USING btree (org_id, created_at, id);
CREATE INDEX prompts_listed_by_brand ON catalog.prompts USING btree (brand_id, created_at, id);
CREATE INDEX prompts_planned ON catalog.prompts USING btree (brand_id, id) WHERE active;
CREATE INDEX prompts_text ON catalog.prompts USING btree (brand_id, text_identity);
CREATE TRIGGER brands_archived AFTER UPDATE OF sunset_at ON catalog.brands FOR EACH ROW WHEN (((old.sunset_at IS NULL) <> (new.sunset_at IS NULL))) EXECUTE FUNCTION catalog.count_prompts_of_brand();
CREATE TRIGGER prompts_inserted AFTER INSERT ON catalog.prompts REFERENCING NEW TABLE AS new_prompts FOR EACH STATEMENT EXECUTE FUNCTION catalog.count_prompts();
CREATE TRIGGER prompts_updated AFTER UPDATE ON catalog.prompts REFERENCING OLD TABLE AS old_prompts NEW TABLE AS new_prompts FOR EACH STATEMENT EXECUTE FUNCTION catalog.count_prompts();
ALTER TABLE ONLY catalog.brand_competitors
    ADD CONSTRAINT brand_competitors_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES catalog.brands(id);
ALTER TABLE ONLY catalog.brand_competitors
    ADD CONSTRAINT brand_competitors_competitor_id_fkey FOREIGN KEY (competitor_id) REFERENCES catalog.brands(id);
ALTER TABLE ONLY catalog.brand_competitors
    ADD CONSTRAINT brand_competitors_org_id_fkey FOREIGN KEY (org_id) REFERENCES catalog.orgs(id);
ALTER TABLE ONLY catalog.brands
    ADD CONSTRAINT brands_org_id_fkey FOREIGN KEY (org_id) REFERENCES catalog.orgs(id);
ALTER TABLE ONLY catalog.operation_progress
    ADD CONSTRAINT operation_progress_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES catalog.brands(id);
ALTER TABLE ONLY catalog.operation_steps
    ADD CONSTRAINT operation_steps_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES catalog.operation_progress(operation_id) ON DELETE CASCADE;
ALTER TABLE ONLY catalog.orgs
    ADD CONSTRAINT orgs_tier_fkey FOREIGN KEY (tier) REFERENCES catalog.tiers(name);
ALTER TABLE ONLY catalog.prompt_counts
    ADD CONSTRAINT prompt_counts_org_id_fkey FOREIGN KEY (org_id) REFERENCES catalog.orgs(id);
ALTER TABLE ONLY catalog.prompts
    ADD CONSTRAINT prompts_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES catalog.brands(id);
ALTER TABLE ONLY catalog.prompts
    ADD CONSTRAINT prompts_org_id_fkey FOREIGN KEY (org_id) REFERENCES catalog.orgs(id);
