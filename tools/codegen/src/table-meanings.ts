/** What each table holds, for docs/data-model.md. The page cannot be generated while a table has no entry. */
export type TableMeanings = Readonly<Record<string, string>>;

/** Tables of the libraries, which every service has. */
export const sharedTables: TableMeanings = {
  outbox: 'Events to publish, written in the transaction of the change. 7 days.',
  inbox: 'Events that a consumer has applied, written in the transaction of the effect. 14 days.',
  dead_letter_events: 'Dead-letter events: messages that no attempt could handle.',
  failed_attempts: 'Failed attempts of messages that a consumer will receive again.',
  processed_operations:
    'Writes of the public API that have run, with their responses, so that a retry runs once.',
  org_purges: 'Organisations whose data is to be deleted, with the number of deleted rows by table.',
  schema_migrations: 'Applied migrations.',
};

export const tableMeanings: Readonly<Record<string, TableMeanings>> = {
  catalog: {
    tiers: 'Tiers with their limits.',
    orgs: 'Organisations, with tier, overrides and retention.',
    brands: 'Own brands and competitors, with their identity.',
    brand_competitors: 'Which competitor is linked to which own brand.',
    prompts: 'Prompts of own brands, active and inactive.',
    prompt_counts: 'Active prompts by organisation and country, counted by triggers.',
    operation_progress: 'Writes of several transactions that have begun, such as a sync.',
    operation_steps: 'Outcome of each finished step of such a write.',
    brand_changes: 'Projection: change token of each own brand, from results.',
    scan_allowances: 'Unused: kept for an earlier version during an upgrade.',
  },
  gateway: {
    api_keys: 'API keys by their hash, with scopes, allowance and quota. Each has one owner.',
    partners: 'Partners and their status.',
    partner_links: 'Links of partners to organisations. A revoked link is inactive.',
    org_access: 'Projection: organisations with tier and API access, from catalog.',
    idempotency_keys: 'Idempotency records: fingerprint, lease, and the encrypted response.',
    quota_leases: 'Monthly use of each key, in blocks that Redis has leased.',
  },
  results: {
    units: 'Finalised run units with their answers.',
    unit_brands: 'Tracked brands of a unit: mention, position, sentiment, evidence.',
    unit_sources: 'Web pages of a unit in their order.',
    scans: 'Projection: scan jobs, from scans. Holds when the scan was scored.',
    brands: 'Projection: brands with their identity, from catalog.',
    prompts: 'Projection: prompts, from catalog.',
    orgs: 'Projection: how long results of an organisation are kept, and its deletion, from catalog.',
    brand_tokens:
      'Change token of each own brand, until when results are finalised, and the first days that are kept.',
    scores: 'Figures of a brand, market and day. The empty country is the series over all markets.',
    window_scores: 'The same over 7 or 28 days.',
    cell_days: 'Sums of each cell, day and model, for windows and comparisons.',
    share_of_voice: 'Share of voice of each tracked brand by day, platform and market.',
    source_days: 'Citations of a domain by day, platform and market.',
    source_pages: 'Citations of a page by day, platform and market. Unique by the hash of its URL.',
    answered_days: 'Answered units by day, platform and market, and those with unresolved links.',
    unit_markets: 'Markets and platforms for which a brand has units.',
    evaluated_days: 'Verdict on the change of the last 7 days, by day with a scored scan.',
    unscored_days: 'Days of an import that wait to be scored.',
    reprocess_jobs: 'Reprocess jobs with their window, progress and lease.',
  },
  scans: {
    scan_jobs: 'Scan jobs: trigger, status, counts, and what was charged.',
    scan_units: 'Run units of a job: status, lease, attempts, cost. 30 days after the job.',
    schedule_runs: 'Which daily scans are queued, so that one replica queues each.',
    brands: 'Projection: brands with identity and second of the day of their scan, from catalog.',
    orgs: 'Projection: organisations with what their tier allows, from catalog.',
    org_allowances: 'Manual scans used in the month, and scan credits.',
    virtual_times: 'Virtual time of an organisation in the fair queue of a platform.',
    rate_buckets: 'Rate bucket of a platform, and the virtual time of its queue.',
    judge_spending: 'Cost of the LLM judge by month.',
  },
  webhooks: {
    endpoints: 'Endpoints of partners: URL, status, circuit breaker, next wake time.',
    endpoint_secrets: 'Encrypted signing secrets of an endpoint: the current one, and one that expires.',
    subscriptions: 'What an endpoint is subscribed to.',
    events: 'Webhook events with their bodies. 30 days.',
    deliveries: 'One event for one endpoint: status, attempts, next attempt. 30 days.',
    attempts: 'HTTP requests of a delivery, with their outcomes.',
    threshold_states: 'Side last reported by partner, brand, series, metric and threshold.',
    change_states: 'Day of the last change event by endpoint, brand, metric, market and window.',
    links: 'Projection: links of partners, from the gateway.',
    partners: 'Projection: status of partners, from the gateway.',
    orgs: 'Projection: organisations and their deletion, from catalog.',
    brands: 'Projection: brands, from catalog.',
  },
};
