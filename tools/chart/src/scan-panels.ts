import { here, type Panel, quantile, rate } from './panel.ts';

export const scans: Panel[] = [
  {
    title: 'Open units',
    unit: 'short',
    description: 'Of the whole database; every process reports the same value.',
    queries: {
      '{{platform}} {{state}}': `max by (platform, state) (bv_scans_queue_units{${here}})`,
    },
  },
  {
    title: 'Maximum wait',
    unit: 's',
    queries: { '{{platform}}': `max by (platform) (bv_scans_queue_oldest_due_seconds{${here}})` },
  },
  {
    title: 'Finished units',
    unit: 'ops',
    queries: {
      '{{platform}} {{outcome}}': `sum by (platform, outcome) (${rate('bv_scans_units_total', here)})`,
    },
  },
  {
    title: 'Failed attempts',
    unit: 'ops',
    queries: {
      '{{platform}} {{kind}}': `sum by (platform, kind) (${rate('bv_scans_platform_errors_total', here)})`,
    },
  },
  {
    title: 'Platform latency, p95',
    unit: 's',
    queries: { '{{platform}}': quantile(0.95, 'bv_scans_platform_latency_seconds', here, ', platform') },
  },
  {
    title: 'Daily scans per hour',
    unit: 'short',
    queries: { '{{result}}': `sum by (result) (increase(bv_scans_scheduled_total{${here}}[1h]))` },
  },
  {
    title: 'Answers after the end of the lease, per hour',
    unit: 'short',
    queries: { '{{platform}}': `sum by (platform) (increase(bv_scans_leases_lost_total{${here}}[1h]))` },
  },
  {
    title: 'Sentiment ratings',
    unit: 'ops',
    queries: {
      'by {{method}}': `sum by (method) (${rate('bv_scans_brand_sentiments_total', here)})`,
      'units: {{result}}': `sum by (result) (${rate('bv_scans_sentiments_rated_total', here)})`,
      'failed: {{kind}}': `sum by (kind) (${rate('bv_scans_sentiment_judge_errors_total', here)})`,
      'quotes rejected': `sum(${rate('bv_scans_sentiment_judge_quotes_rejected_total', here)})`,
    },
  },
  {
    title: 'Mentions to verify',
    unit: 'ops',
    description: 'Confirmed or denied by the LLM judge, or decided by words without its judgement.',
    queries: { '{{result}}': `sum by (result) (${rate('bv_scans_mentions_verified_total', here)})` },
  },
  {
    title: 'LLM judge tokens per second',
    unit: 'short',
    queries: {
      '{{direction}}': `sum by (direction) (${rate('bv_scans_sentiment_judge_tokens_total', here)})`,
    },
  },
  {
    title: 'LLM judge budget used',
    unit: 'percentunit',
    description: 'Of the month and of all replicas; every process reports the same value.',
    queries: { share: `max(bv_scans_sentiment_judge_budget_used_ratio{${here}})` },
  },
  {
    title: 'LLM judge latency, p95',
    unit: 's',
    queries: { '{{result}}': quantile(0.95, 'bv_scans_sentiment_judge_seconds', here, ', result') },
  },
  {
    row: 'Calls of AI models, by the GenAI conventions of OpenTelemetry',
    title: 'Cost per hour',
    unit: 'currencyUSD',
    queries: {
      '{{platform}}': `sum by (platform) (increase(bv_scans_cost_usd_total{${here}}[1h]))`,
      judge: `sum(increase(bv_scans_sentiment_judge_cost_usd_total{${here}}[1h]))`,
      'price of the answers': `sum(increase(bv_scans_answer_cost_usd_total{${here}}[1h]))`,
    },
  },
  {
    title: 'Call duration, p95',
    unit: 's',
    description: 'Of all calls, failed ones included. The platform "judge" is the LLM judge.',
    queries: {
      '{{platform}}': quantile(0.95, 'gen_ai_client_operation_duration_seconds', here, ', platform'),
    },
  },
  {
    title: 'Calls by served model',
    unit: 'ops',
    description: 'Without a model: the call failed, or its response states none.',
    queries: {
      '{{platform}}: {{gen_ai_response_model}}': `sum by (platform, gen_ai_response_model) (${rate('gen_ai_client_operation_duration_seconds_count', here)})`,
    },
  },
  {
    title: 'Tokens per second',
    unit: 'short',
    queries: {
      '{{platform}} {{gen_ai_token_type}}': `sum by (platform, gen_ai_token_type) (${rate('gen_ai_client_token_usage_sum', here)})`,
    },
  },
  {
    title: 'Tokens of a call, p95',
    unit: 'short',
    queries: {
      '{{platform}} {{gen_ai_token_type}}': quantile(
        0.95,
        'gen_ai_client_token_usage',
        here,
        ', platform, gen_ai_token_type',
      ),
    },
  },
  {
    title: 'Calls by type of error',
    unit: 'ops',
    description: 'Without a type: the call succeeded.',
    queries: {
      '{{platform}} {{error_type}}': `sum by (platform, error_type) (${rate('gen_ai_client_operation_duration_seconds_count', here)})`,
    },
  },
];
