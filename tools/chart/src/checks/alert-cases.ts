/** For each alert: series (in the notation of Prometheus) that must fire it, and their duration. */
export const alertCases: Record<string, { series: Record<string, string>; minutes: number }> = {
  BrandVisibilityServiceGone: {
    series: { 'process_start_time_seconds{service="gateway"}': '1x60' },
    minutes: 5,
  },
  BrandVisibilityRestarts: {
    series: { 'process_start_time_seconds{service="scans"}': '1 2 3 4 5 6 7 8 9 10' },
    minutes: 9,
  },
  BrandVisibilityErrors: {
    series: { 'bv_edge_internal_errors_total{operation="listOrgs"}': '0 0 1 1 1 1 1' },
    minutes: 5,
  },
  BrandVisibilityUnavailable: {
    series: {
      'bv_edge_request_duration_seconds_count{status="503",outcome="api_unavailable"}': '0+10x60',
      'bv_edge_request_duration_seconds_count{status="200",outcome="ok"}': '0+500x60',
    },
    minutes: 15,
  },
  BrandVisibilityWrongKeys: {
    series: { 'bv_edge_failed_attempt_limiter_total{outcome="refused"}': '0+120x60' },
    minutes: 20,
  },
  BrandVisibilitySlow: {
    series: {
      'bv_edge_request_duration_seconds_bucket{le="1",operation="listOrgs"}': '0+90x60',
      'bv_edge_request_duration_seconds_bucket{le="2.5",operation="listOrgs"}': '0+100x60',
      'bv_edge_request_duration_seconds_bucket{le="+Inf",operation="listOrgs"}': '0+100x60',
    },
    minutes: 20,
  },
  BrandVisibilityBlocked: {
    series: { 'nodejs_eventloop_lag_p99_seconds{service="results"}': '0.8x60' },
    minutes: 10,
  },
  BrandVisibilityCounterErrors: {
    series: { 'bv_redis_call_duration_seconds_count{outcome="error"}': '0+5x60' },
    minutes: 10,
  },
  BrandVisibilityDatabaseErrors: {
    series: {
      'bv_db_query_duration_seconds_count{service="catalog",outcome="error"}': '0+10x60',
      'bv_db_query_duration_seconds_count{service="catalog",outcome="ok"}': '0+90x60',
    },
    minutes: 15,
  },
  BrandVisibilityDatabaseUnavailable: {
    series: { 'bv_db_unavailable_total{service="catalog",pool="catalog",code="25006"}': '0+10x60' },
    minutes: 10,
  },
  BrandVisibilityPoolExhausted: {
    series: { 'bv_db_pool_waiting_requests{service="results"}': '20x60' },
    minutes: 10,
  },
  BrandVisibilityOutboxStuck: {
    series: { 'bv_outbox_oldest_age_seconds{service="scans"}': '0+60x60' },
    minutes: 15,
  },
  BrandVisibilityEventsLost: {
    series: { 'bv_outbox_lost_total{service="scans"}': '0 0 30 30 30 30' },
    minutes: 5,
  },
  BrandVisibilityConsumerBehind: {
    series: { 'bv_consumer_pending{consumer="results-scans"}': '9000x60' },
    minutes: 15,
  },
  BrandVisibilityDeadEvents: {
    series: { 'bv_consumer_dead_total{consumer="results-scans",type="scans.job.changed.v1"}': '0 0 1 1 1 1' },
    minutes: 4,
  },
  BrandVisibilityScansLate: {
    series: { 'bv_scans_queue_oldest_due_seconds{platform="chatgpt"}': '1000+60x60' },
    minutes: 20,
  },
  // Units that a platform refuses end within minutes of the daily scan.
  BrandVisibilityPlatformFailing: {
    series: {
      'bv_scans_units_total{platform="claude",outcome="failed"}': '0 15 30x60',
      'bv_scans_units_total{platform="claude",outcome="answered"}': '0 35 70x60',
    },
    minutes: 25,
  },
  BrandVisibilityPlatformDrift: {
    series: {
      'bv_results_platform_drift{platform="ai_overviews",kind="unresolved_links"}': '0 0 1x60',
      'bv_results_platform_drift{platform="ai_overviews",kind="no_model"}': '0x60',
    },
    minutes: 5,
  },
  BrandVisibilityDailyScansFailing: {
    series: { 'bv_scans_scheduled_total{result="failed"}': '0 0 0 0 0 1x60' },
    minutes: 30,
  },
  BrandVisibilityJudgeBudget: {
    series: { bv_scans_sentiment_judge_budget_used_ratio: '0.95x60' },
    minutes: 20,
  },
  BrandVisibilityJudgeFailing: {
    series: {
      'bv_scans_sentiments_rated_total{result="failed"}': '0+10x120',
      'bv_scans_sentiments_rated_total{result="skipped"}': '0+60x120',
      'bv_scans_sentiments_rated_total{result="judged"}': '0+30x120',
    },
    minutes: 70,
  },
  BrandVisibilityReprocessStuck: {
    series: {
      'bv_results_reprocess_oldest_seconds{status="running"}': '0+60x90',
      'bv_results_reprocess_jobs{status="queued"}': '0x90',
      'bv_results_reprocess_jobs{status="running"}': '1x90',
    },
    minutes: 50,
  },
  BrandVisibilityReprocessFailed: {
    series: { 'bv_results_reprocess_jobs_ended_total{status="failed"}': '0 0 0 1x60' },
    minutes: 10,
  },
  BrandVisibilityDeliveriesLate: { series: { bv_webhooks_lease_lag_seconds: '0+60x60' }, minutes: 15 },
  BrandVisibilityDeliveriesGivenUp: { series: { bv_webhooks_deliveries_dead_total: '0+2x60' }, minutes: 30 },
  BrandVisibilityDeliveriesUnsigned: {
    series: { bv_webhooks_secret_unavailable_total: '0 0 1 2 3 4' },
    minutes: 4,
  },
  BrandVisibilityOutcomesLost: { series: { bv_webhooks_outcomes_lost_total: '0 0 1 1 1 1' }, minutes: 4 },
  BrandVisibilityReceiversDown: {
    series: { bv_webhooks_circuit_breakers_open: '8x60', 'bv_webhooks_endpoints{status="active"}': '20x60' },
    minutes: 30,
  },
};

/** An hour of normal operation without faults. */
export const quietSeries: Record<string, string> = {
  ...Object.fromEntries(
    ['gateway', 'catalog', 'results', 'scans', 'webhooks'].map((service) => [
      `process_start_time_seconds{service="${service}"}`,
      '1x70',
    ]),
  ),
  'bv_edge_request_duration_seconds_count{status="200",outcome="ok",operation="listOrgs"}': '0+600x70',
  'bv_edge_request_duration_seconds_count{status="503",outcome="api_unavailable",operation="listOrgs"}':
    '0+1x70',
  'bv_edge_request_duration_seconds_bucket{le="0.1",operation="listOrgs"}': '0+600x70',
  'bv_edge_request_duration_seconds_bucket{le="+Inf",operation="listOrgs"}': '0+600x70',
  'bv_edge_internal_errors_total{operation="listOrgs"}': '1x70',
  'bv_edge_failed_attempt_limiter_total{outcome="refused"}': '0+2x70',
  'nodejs_eventloop_lag_p99_seconds{service="gateway"}': '0.02x70',
  'bv_redis_call_duration_seconds_count{outcome="error"}': '0x70',
  'bv_db_query_duration_seconds_count{service="catalog",outcome="ok"}': '0+900x70',
  'bv_db_query_duration_seconds_count{service="catalog",outcome="error"}': '0+1x70',
  'bv_db_pool_waiting_requests{service="catalog"}': '0x70',
  'bv_outbox_oldest_age_seconds{service="catalog"}': '2x70',
  'bv_consumer_pending{consumer="results-scans"}': '40x70',
  'bv_consumer_dead_total{consumer="results-scans",type="scans.job.changed.v1"}': '3x70',
  'bv_scans_queue_oldest_due_seconds{platform="claude"}': '30x70',
  'bv_scans_units_total{platform="claude",outcome="answered"}': '0+90x70',
  'bv_scans_units_total{platform="claude",outcome="failed"}': '0+3x70',
  'bv_scans_scheduled_total{result="failed"}': '0x70',
  'bv_results_reprocess_oldest_seconds{status="running"}': '0 300 600 900 0x66',
  'bv_results_reprocess_jobs{status="queued"}': '5x70',
  'bv_results_reprocess_jobs{status="running"}': '1x70',
  'bv_results_reprocess_jobs_ended_total{status="failed"}': '0x70',
  bv_results_reprocess_restarts_total: '0 1 2 3 3x66',
  bv_scans_sentiment_judge_budget_used_ratio: '0.6x70',
  'bv_scans_sentiments_rated_total{result="judged"}': '0+90x70',
  'bv_scans_sentiments_rated_total{result="failed"}': '0+3x70',
  bv_webhooks_lease_lag_seconds: '0.4x70',
  bv_webhooks_deliveries_dead_total: '0x70',
  bv_webhooks_outcomes_lost_total: '0x70',
  bv_webhooks_secret_unavailable_total: '0x70',
  bv_webhooks_circuit_breakers_open: '2x70',
  'bv_webhooks_endpoints{status="active"}': '400x70',
};
