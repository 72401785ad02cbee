import { here, type Panel, quantile, rate } from './panel.ts';

export const stores: Panel[] = [
  {
    title: 'Database connections',
    unit: 'short',
    queries: {
      '{{service}} {{state}}': `sum by (service, state) (bv_db_pool_connections{${here}})`,
      '{{service}} maximum': `sum by (service) (bv_db_pool_max_connections{${here}})`,
    },
  },
  {
    title: 'Requests waiting for a connection',
    unit: 'short',
    queries: { '{{service}}': `max by (service) (bv_db_pool_waiting_requests{${here}})` },
  },
  {
    title: 'Queries',
    unit: 'ops',
    queries: {
      '{{service}} {{outcome}}': `sum by (service, outcome) (${rate('bv_db_query_duration_seconds_count', here)})`,
    },
  },
  {
    title: 'Database unavailable',
    unit: 'ops',
    queries: {
      '{{service}} {{code}}': `sum by (service, code) (${rate('bv_db_unavailable_total', here)})`,
    },
  },
  {
    title: 'Query duration, p95',
    unit: 's',
    queries: { '{{service}}': quantile(0.95, 'bv_db_query_duration_seconds', here, ', service') },
  },
  {
    title: 'Redis calls',
    unit: 'ops',
    queries: {
      '{{script}} {{outcome}}': `sum by (script, outcome) (${rate('bv_redis_call_duration_seconds_count', here)})`,
    },
  },
  {
    title: 'Redis call duration, p99',
    unit: 's',
    queries: { '{{script}}': quantile(0.99, 'bv_redis_call_duration_seconds', here, ', script') },
  },
  {
    title: 'Unpublished events',
    unit: 'short',
    queries: { '{{service}}': `max by (service) (bv_outbox_unsent{${here}})` },
  },
  {
    title: 'Age of the oldest unpublished event',
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
    title: 'Pending events of the consumers',
    unit: 'short',
    queries: {
      '{{consumer}}': `max by (consumer) (bv_consumer_pending{${here}})`,
      '{{consumer}} in progress': `max by (consumer) (bv_consumer_ack_pending{${here}})`,
    },
  },
  {
    title: 'Redeliveries and dead-letter events per hour',
    unit: 'short',
    queries: {
      'redelivered: {{consumer}}': `sum by (consumer) (increase(bv_consumer_redeliveries_total{${here}}[1h]))`,
      'dead-letter: {{consumer}}': `sum by (consumer) (increase(bv_consumer_dead_total{${here}}[1h]))`,
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
