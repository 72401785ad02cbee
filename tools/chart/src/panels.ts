import { here, of, type Panel, quantile, rate } from './panel.ts';
import { scans } from './scan-panels.ts';
import { stores } from './store-panels.ts';

export const variables = [
  { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
  {
    name: 'namespace',
    label: 'Namespace',
    type: 'query',
    datasource: { type: 'prometheus', uid: '${datasource}' },
    query: 'label_values(process_start_time_seconds{service="gateway"}, namespace)',
    refresh: 2,
    includeAll: true,
    multi: true,
    current: { text: 'All', value: '$__all' },
    allValue: '.*',
  },
];

const edge: Panel[] = [
  {
    title: 'Requests by status',
    unit: 'reqps',
    queries: { '{{status}}': `sum by (status) (${rate('bv_edge_request_duration_seconds_count', here)})` },
  },
  {
    title: 'Refusals by code',
    unit: 'reqps',
    queries: {
      '{{outcome}}': `sum by (outcome) (${rate('bv_edge_request_duration_seconds_count', `${here},outcome!="ok"`)})`,
    },
  },
  {
    title: 'Response time',
    unit: 's',
    queries: {
      p50: quantile(0.5, 'bv_edge_request_duration_seconds', here),
      p95: quantile(0.95, 'bv_edge_request_duration_seconds', here),
      p99: quantile(0.99, 'bv_edge_request_duration_seconds', here),
    },
  },
  {
    title: 'Slowest operations, p95',
    unit: 's',
    queries: {
      '{{operation}}': `topk(8, ${quantile(0.95, 'bv_edge_request_duration_seconds', here, ', operation')})`,
    },
  },
  {
    title: 'Allowances',
    unit: 'reqps',
    queries: { '{{outcome}}': `sum by (outcome) (${rate('bv_edge_rate_limiter_total', here)})` },
  },
  {
    title: 'MCP tools',
    unit: 'ops',
    queries: {
      '{{tool}} {{outcome}}': `sum by (tool, outcome) (${rate('bv_edge_mcp_tool_calls_total', here)})`,
    },
  },
  {
    title: 'Results of prompt syncs',
    unit: 'ops',
    queries: { '{{action}}': `sum by (action) (${rate('bv_catalog_prompt_sync_results_total', here)})` },
  },
  {
    title: 'Rejected keys and idempotent writes',
    unit: 'reqps',
    queries: {
      'wrong keys: {{outcome}}': `sum by (outcome) (${rate('bv_edge_failed_attempt_limiter_total', here)})`,
      'idempotency: {{outcome}}': `sum by (outcome) (${rate('bv_edge_idempotency_total', here)})`,
    },
  },
];

const results: Panel[] = [
  {
    title: 'Reads',
    unit: 'reqps',
    queries: {
      '{{operation}}': `sum by (operation) (${rate('bv_http_request_duration_seconds_count', of('results'))})`,
    },
  },
  {
    title: 'Response time, p95',
    unit: 's',
    queries: {
      '{{operation}}': quantile(0.95, 'bv_http_request_duration_seconds', of('results'), ', operation'),
    },
  },
  {
    title: 'Events handled',
    unit: 'ops',
    queries: {
      '{{type}} {{outcome}}': `sum by (type, outcome) (${rate('bv_consumer_events_total', of('results'))})`,
    },
  },
  {
    title: 'Pending events',
    unit: 'short',
    queries: { '{{consumer}}': `max by (consumer) (bv_consumer_pending{${of('results')}})` },
  },
  {
    title: 'Event handling time, p95',
    unit: 's',
    queries: { '{{consumer}}': quantile(0.95, 'bv_consumer_handler_seconds', of('results'), ', consumer') },
  },
  {
    title: 'Slowest queries, p95',
    unit: 's',
    queries: {
      '{{query}}': `topk(8, ${quantile(0.95, 'bv_db_query_duration_seconds', of('results'), ', query')})`,
    },
  },
  {
    title: 'Drift of platforms',
    unit: 'short',
    description: 'What of the answers changed its shape on one of the last two days.',
    queries: { '{{platform}} {{kind}}': `max by (platform, kind) (bv_results_platform_drift{${here}}) > 0` },
  },
  {
    title: 'Open reprocess jobs',
    unit: 'short',
    description: 'Of the whole database; every process reports the same value.',
    queries: { '{{status}}': `max by (status) (bv_results_reprocess_jobs{${here}})` },
  },
  {
    title: 'Reprocess jobs without progress',
    unit: 's',
    queries: { '{{status}}': `max by (status) (bv_results_reprocess_oldest_seconds{${here}})` },
  },
  {
    title: 'Reprocessed units',
    unit: 'ops',
    queries: {
      read: `sum(${rate('bv_results_reprocess_units_total', here)})`,
      changed: `sum(${rate('bv_results_reprocess_units_changed_total', here)})`,
    },
  },
  {
    title: 'Time to reprocess a day',
    unit: 's',
    queries: {
      p50: quantile(0.5, 'bv_results_reprocess_day_seconds', here),
      p99: quantile(0.99, 'bv_results_reprocess_day_seconds', here),
    },
  },
  {
    title: 'Failed attempts and restarts of reprocess jobs',
    unit: 'ops',
    queries: {
      attempts: `sum(${rate('bv_results_reprocess_attempts_failed_total', here)})`,
      restarts: `sum(${rate('bv_results_reprocess_restarts_total', here)})`,
    },
  },
  {
    title: 'Removed because the retention has ended',
    unit: 'ops',
    queries: { '{{kind}}': `sum by (kind) (${rate('bv_results_retention_removed_total', here)})` },
  },
  {
    title: 'Brands with data after its retention',
    unit: 'short',
    description: 'The data is hidden, and still has to be removed. 100,000 means at least that.',
    queries: { brands: `max(bv_results_retention_backlog_brands{${here}})` },
  },
  {
    title: 'Time for which a batch of the retention holds a brand',
    unit: 's',
    queries: {
      p50: quantile(0.5, 'bv_results_retention_batch_seconds', here),
      p99: quantile(0.99, 'bv_results_retention_batch_seconds', here),
    },
  },
];

const webhooks: Panel[] = [
  {
    title: 'Attempts by outcome',
    unit: 'ops',
    queries: { '{{outcome}}': `sum by (outcome) (${rate('bv_webhooks_attempts_total', here)})` },
  },
  {
    title: 'Maximum wait for a dispatcher',
    unit: 's',
    queries: { wait: `max(bv_webhooks_lease_lag_seconds{${here}})` },
  },
  {
    title: 'Open deliveries',
    unit: 'short',
    queries: { '{{status}}': `max by (status) (bv_webhooks_deliveries{${here}})` },
  },
  {
    title: 'Attempt duration',
    unit: 's',
    queries: {
      p50: quantile(0.5, 'bv_webhooks_attempt_duration_seconds', here),
      p99: quantile(0.99, 'bv_webhooks_attempt_duration_seconds', here),
    },
  },
  {
    title: 'Endpoints',
    unit: 'short',
    queries: {
      '{{status}}': `max by (status) (bv_webhooks_endpoints{${here}})`,
      'receiver down': `max(bv_webhooks_circuit_breakers_open{${here}})`,
      'secret encrypted with a missing key': `max(bv_webhooks_secrets{${here}, key="missing"})`,
    },
  },
  {
    title: 'Dead, unsent and lost deliveries per hour',
    unit: 'short',
    queries: {
      dead: `sum(increase(bv_webhooks_deliveries_dead_total{${here}}[1h]))`,
      'no longer linked': `sum(increase(bv_webhooks_deliveries_unlinked_total{${here}}[1h]))`,
      'expired leases': `sum(increase(bv_webhooks_leases_expired_total{${here}}[1h]))`,
      'lost outcomes': `sum(increase(bv_webhooks_outcomes_lost_total{${here}}[1h]))`,
    },
  },
  {
    title: 'Attempts in flight by process',
    unit: 'short',
    queries: { '{{pod}}': `sum by (pod) (bv_webhooks_attempts_in_flight{${here}})` },
  },
  {
    title: 'Requests by connection',
    unit: 'reqps',
    queries: {
      '{{connection}}': `sum by (connection) (rate(bv_webhooks_connections_total{${here}}[$__rate_interval]))`,
      'sent twice': `sum(rate(bv_webhooks_resent_total{${here}}[$__rate_interval]))`,
    },
  },
];

export const panels = { edge, scans, results, webhooks, stores };
