export type Panel = {
  title: string;
  unit: string;
  /** PromQL by legend. */
  queries: Record<string, string>;
  description?: string;
};

/** What every query is limited to. */
const here = 'namespace=~"$namespace"';
const of = (service: string): string => `${here},service="${service}"`;
const rate = (metric: string, selector: string): string => `rate(${metric}{${selector}}[$__rate_interval])`;
const quantile = (q: number, metric: string, selector: string, by = ''): string =>
  `histogram_quantile(${q}, sum by (le${by}) (${rate(`${metric}_bucket`, selector)}))`;

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
    queries: { '{{status}}': `sum by (status) (${rate('edge_request_duration_seconds_count', here)})` },
  },
  {
    title: 'Refusals by code',
    unit: 'reqps',
    queries: {
      '{{outcome}}': `sum by (outcome) (${rate('edge_request_duration_seconds_count', `${here},outcome!="ok"`)})`,
    },
  },
  {
    title: 'Time to answer',
    unit: 's',
    queries: {
      p50: quantile(0.5, 'edge_request_duration_seconds', here),
      p95: quantile(0.95, 'edge_request_duration_seconds', here),
      p99: quantile(0.99, 'edge_request_duration_seconds', here),
    },
  },
  {
    title: 'Slowest operations, p95',
    unit: 's',
    queries: {
      '{{operation}}': `topk(8, ${quantile(0.95, 'edge_request_duration_seconds', here, ', operation')})`,
    },
  },
  {
    title: 'Allowances',
    unit: 'reqps',
    queries: { '{{outcome}}': `sum by (outcome) (${rate('edge_limiter_total', here)})` },
  },
  {
    title: 'Wrong keys and repeated writes',
    unit: 'reqps',
    queries: {
      'wrong keys: {{outcome}}': `sum by (outcome) (${rate('edge_gate_total', here)})`,
      'idempotency: {{outcome}}': `sum by (outcome) (${rate('edge_idempotency_total', here)})`,
    },
  },
];

const scans: Panel[] = [
  {
    title: 'Open questions',
    unit: 'short',
    description: 'Of the whole database; every process tells the same.',
    queries: {
      '{{platform}} {{state}}': `max by (platform, state) (scans_queue_units{${here}})`,
    },
  },
  {
    title: 'Longest wait',
    unit: 's',
    queries: { '{{platform}}': `max by (platform) (scans_queue_oldest_due_seconds{${here}})` },
  },
  {
    title: 'Questions ended',
    unit: 'ops',
    queries: {
      '{{platform}} {{outcome}}': `sum by (platform, outcome) (${rate('scans_units_total', here)})`,
    },
  },
  {
    title: 'Failed attempts',
    unit: 'ops',
    queries: {
      '{{platform}} {{kind}}': `sum by (platform, kind) (${rate('scans_platform_errors_total', here)})`,
    },
  },
  {
    title: 'Time of a platform, p95',
    unit: 's',
    queries: { '{{platform}}': quantile(0.95, 'scans_platform_latency_seconds', here, ', platform') },
  },
  {
    title: 'Cost in an hour',
    unit: 'currencyUSD',
    queries: { '{{platform}}': `sum by (platform) (increase(scans_cost_usd_total{${here}}[1h]))` },
  },
  {
    title: 'Daily scans in an hour',
    unit: 'short',
    queries: { '{{result}}': `sum by (result) (increase(scans_scheduled_total{${here}}[1h]))` },
  },
  {
    title: 'Answers that came too late, in an hour',
    unit: 'short',
    queries: { '{{platform}}': `sum by (platform) (increase(scans_leases_lost_total{${here}}[1h]))` },
  },
];

const results: Panel[] = [
  {
    title: 'Reads',
    unit: 'reqps',
    queries: {
      '{{operation}}': `sum by (operation) (${rate('http_request_duration_seconds_count', of('results'))})`,
    },
  },
  {
    title: 'Time to answer, p95',
    unit: 's',
    queries: {
      '{{operation}}': quantile(0.95, 'http_request_duration_seconds', of('results'), ', operation'),
    },
  },
  {
    title: 'Events taken in',
    unit: 'ops',
    queries: {
      '{{type}} {{outcome}}': `sum by (type, outcome) (${rate('bv_consumer_events_total', of('results'))})`,
    },
  },
  {
    title: 'Events before it',
    unit: 'short',
    queries: { '{{consumer}}': `max by (consumer) (bv_consumer_pending{${of('results')}})` },
  },
  {
    title: 'Time to take events in, p95',
    unit: 's',
    queries: { '{{consumer}}': quantile(0.95, 'bv_consumer_handler_seconds', of('results'), ', consumer') },
  },
  {
    title: 'Slowest queries, p95',
    unit: 's',
    queries: {
      '{{query}}': `topk(8, ${quantile(0.95, 'db_query_duration_seconds', of('results'), ', query')})`,
    },
  },
];

const webhooks: Panel[] = [
  {
    title: 'Attempts by outcome',
    unit: 'ops',
    queries: { '{{outcome}}': `sum by (outcome) (${rate('webhooks_attempts_total', here)})` },
  },
  {
    title: 'Longest wait for a dispatcher',
    unit: 's',
    queries: { wait: `max(webhooks_claim_lag_seconds{${here}})` },
  },
  {
    title: 'Deliveries that are not over',
    unit: 'short',
    queries: { '{{status}}': `max by (status) (webhooks_deliveries{${here}})` },
  },
  {
    title: 'Time of an attempt',
    unit: 's',
    queries: {
      p50: quantile(0.5, 'webhooks_attempt_duration_seconds', here),
      p99: quantile(0.99, 'webhooks_attempt_duration_seconds', here),
    },
  },
  {
    title: 'Endpoints',
    unit: 'short',
    queries: {
      '{{status}}': `max by (status) (webhooks_endpoints{${here}})`,
      'receiver down': `max(webhooks_breakers_open{${here}})`,
    },
  },
  {
    title: 'Given up, unsent, lost: in an hour',
    unit: 'short',
    queries: {
      'given up': `sum(increase(webhooks_deliveries_dead_total{${here}}[1h]))`,
      'no longer linked': `sum(increase(webhooks_deliveries_unlinked_total{${here}}[1h]))`,
      'leases that ended': `sum(increase(webhooks_leases_expired_total{${here}}[1h]))`,
      'outcomes lost': `sum(increase(webhooks_settlements_lost_total{${here}}[1h]))`,
    },
  },
  {
    title: 'Attempts running, by process',
    unit: 'short',
    queries: { '{{pod}}': `sum by (pod) (webhooks_attempts_running{${here}})` },
  },
];

const stores: Panel[] = [
  {
    title: 'Database connections',
    unit: 'short',
    queries: {
      '{{service}} {{state}}': `sum by (service, state) (db_pool_connections{${here}})`,
      '{{service}} most': `sum by (service) (db_pool_max_connections{${here}})`,
    },
  },
  {
    title: 'Callers waiting for a connection',
    unit: 'short',
    queries: { '{{service}}': `max by (service) (db_pool_waiting_requests{${here}})` },
  },
  {
    title: 'Queries',
    unit: 'ops',
    queries: {
      '{{service}} {{outcome}}': `sum by (service, outcome) (${rate('db_query_duration_seconds_count', here)})`,
    },
  },
  {
    title: 'Time of a query, p95',
    unit: 's',
    queries: { '{{service}}': quantile(0.95, 'db_query_duration_seconds', here, ', service') },
  },
  {
    title: 'Redis calls',
    unit: 'ops',
    queries: {
      '{{script}} {{outcome}}': `sum by (script, outcome) (${rate('redis_call_duration_seconds_count', here)})`,
    },
  },
  {
    title: 'Time of a Redis call, p99',
    unit: 's',
    queries: { '{{script}}': quantile(0.99, 'redis_call_duration_seconds', here, ', script') },
  },
  {
    title: 'Events that wait to be published',
    unit: 'short',
    queries: { '{{service}}': `max by (service) (bv_outbox_unsent{${here}})` },
  },
  {
    title: 'Oldest of them',
    unit: 's',
    queries: { '{{service}}': `max by (service) (bv_outbox_oldest_age_seconds{${here}})` },
  },
  {
    title: 'Events published',
    unit: 'ops',
    queries: {
      '{{type}}': `sum by (type) (${rate('bv_outbox_published_total', here)})`,
      'failed: {{service}}': `sum by (service) (${rate('bv_outbox_publish_errors_total', here)})`,
    },
  },
  {
    title: 'Events before the consumers',
    unit: 'short',
    queries: {
      '{{consumer}}': `max by (consumer) (bv_consumer_pending{${here}})`,
      '{{consumer}} in work': `max by (consumer) (bv_consumer_ack_pending{${here}})`,
    },
  },
  {
    title: 'Delivered again, and given up: in an hour',
    unit: 'short',
    queries: {
      'again: {{consumer}}': `sum by (consumer) (increase(bv_consumer_redeliveries_total{${here}}[1h]))`,
      'given up: {{consumer}}': `sum by (consumer) (increase(bv_consumer_dead_total{${here}}[1h]))`,
    },
  },
  {
    title: 'Processes',
    unit: 'short',
    queries: {
      '{{service}} CPU': `sum by (service) (${rate('process_cpu_seconds_total', here)})`,
      '{{service}} blocked, p99': `max by (service) (nodejs_eventloop_lag_p99_seconds{${here}})`,
    },
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: { '{{service}}': `max by (service) (process_resident_memory_bytes{${here}})` },
  },
];

export const panels = { edge, scans, results, webhooks, stores };
