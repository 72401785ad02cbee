import { expect, test } from '@jest/globals';
import { operations } from '@bv/contract';
import { createMetrics } from '@bv/telemetry';
import { createEdgeMetrics, unmatched } from './telemetry.ts';

test('a scrape contains all finished requests', async () => {
  const metrics = createMetrics('gateway');
  const edge = createEdgeMetrics(metrics);
  const finished = { operation: 'listOrgs', status: 200, outcome: 'ok', seconds: 0.25 };
  edge.request(finished);
  expect(await metrics.registry.metrics()).toContain(`${requestSeries('ok', 200)} 1`);
  for (let count = 0; count < 299; count += 1) edge.request(finished);
  edge.request({ ...finished, status: 404, outcome: 'not_found' });
  const text = await metrics.registry.metrics();
  expect(text).toContain(`${requestSeries('ok', 200)} 300`);
  expect(text).toContain(`${requestSeries('not_found', 404)} 1`);
  expect(text).toContain('_sum{service="gateway",operation="listOrgs",status="200",outcome="ok"} 75');
});

test('500 responses are counted for each operation, starting at 0', async () => {
  const metrics = createMetrics('gateway');
  const edge = createEdgeMetrics(metrics);
  const readFailures = (text: string, operation: string): number =>
    Number(
      text.match(`bv_edge_internal_errors_total{operation="${operation}",service="gateway"} (\\d+)`)?.[1],
    );
  const before = await metrics.registry.metrics();
  for (const { id } of operations) expect([id, readFailures(before, id)]).toEqual([id, 0]);
  expect(readFailures(before, unmatched)).toBe(0);
  edge.request({ operation: 'listOrgs', status: 500, outcome: 'internal_error', seconds: 0.1 });
  edge.request({ operation: 'listOrgs', status: 503, outcome: 'api_unavailable', seconds: 0.1 });
  const after = await metrics.registry.metrics();
  expect(readFailures(after, 'listOrgs')).toBe(1);
  expect(readFailures(after, 'getOrg')).toBe(0);
});

test('outcomes are counted once, however often they are scraped', async () => {
  const metrics = createMetrics('gateway');
  const edge = createEdgeMetrics(metrics);
  edge.rateLimiter('admitted');
  edge.rateLimiter('admitted');
  edge.rateLimiter('over_minute');
  await metrics.registry.metrics();
  edge.rateLimiter('admitted');
  edge.failedAttemptLimiter('refused');
  const text = await metrics.registry.metrics();
  expect(text).toContain('bv_edge_rate_limiter_total{outcome="admitted",service="gateway"} 3');
  expect(text).toContain('bv_edge_rate_limiter_total{outcome="over_minute",service="gateway"} 1');
  expect(text).toContain('bv_edge_failed_attempt_limiter_total{outcome="refused",service="gateway"} 1');
});

const requestSeries = (outcome: string, status: number): string =>
  `bv_edge_request_duration_seconds_count{service="gateway",operation="listOrgs",status="${status}",outcome="${outcome}"}`;
