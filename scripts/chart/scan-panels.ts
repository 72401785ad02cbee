import { here, type Panel, quantile, rate } from './panel.ts';

export const scans: Panel[] = [
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
  {
    title: 'Sentiment judged',
    unit: 'ops',
    queries: {
      'units: {{result}}': `sum by (result) (${rate('scans_sentiments_judged_total', here)})`,
      'failed: {{kind}}': `sum by (kind) (${rate('scans_sentiment_judge_errors_total', here)})`,
    },
  },
  {
    title: 'Wait for a judgement, p95',
    unit: 's',
    queries: { '{{result}}': quantile(0.95, 'scans_sentiment_judge_seconds', here, ', result') },
  },
];
