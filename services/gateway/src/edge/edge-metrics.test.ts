import { expect, test } from '@jest/globals';
import { createMetrics } from '@bv/telemetry';
import { createEdgeMetrics } from './edge-metrics.ts';

test('whoever reads sees all that has ended, however little or much of it waits', async () => {
  const metrics = createMetrics('gateway');
  const edge = createEdgeMetrics(metrics);
  const ended = { operation: 'listOrgs', status: 200, outcome: 'ok', seconds: 0.25 };
  edge.request(ended);
  expect(await metrics.registry.metrics()).toContain(`${requestsOf('ok', 200)} 1`);
  for (let count = 0; count < 299; count += 1) edge.request(ended);
  edge.request({ ...ended, status: 404, outcome: 'not_found' });
  const text = await metrics.registry.metrics();
  expect(text).toContain(`${requestsOf('ok', 200)} 300`);
  expect(text).toContain(`${requestsOf('not_found', 404)} 1`);
  expect(text).toContain('_sum{service="gateway",operation="listOrgs",status="200",outcome="ok"} 75');
});

test('outcomes are counted once, however often they are read', async () => {
  const metrics = createMetrics('gateway');
  const edge = createEdgeMetrics(metrics);
  edge.limiter('admitted');
  edge.limiter('admitted');
  edge.limiter('over_minute');
  await metrics.registry.metrics();
  edge.limiter('admitted');
  edge.gate('refused');
  const text = await metrics.registry.metrics();
  expect(text).toContain('edge_limiter_total{outcome="admitted",service="gateway"} 3');
  expect(text).toContain('edge_limiter_total{outcome="over_minute",service="gateway"} 1');
  expect(text).toContain('edge_gate_total{outcome="refused",service="gateway"} 1');
});

const requestsOf = (outcome: string, status: number): string =>
  `edge_request_duration_seconds_count{service="gateway",operation="listOrgs",status="${status}",outcome="${outcome}"}`;
