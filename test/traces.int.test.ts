import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, startReceiver, type Receiver } from '@bv/testkit';
import { startOtlpReceiver, type Span } from './otlp-receiver.ts';
import { startSystem, type System } from './system.ts';

let system: System;
let receiver: Receiver;
let collector: Awaited<ReturnType<typeof startOtlpReceiver>>;

beforeAll(async () => {
  collector = await startOtlpReceiver();
  receiver = await startReceiver(() => 204);
  system = await startSystem({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
}, 180_000);
afterAll(async () => {
  await system.stop();
  await receiver.close();
  await collector.close();
}, 60_000);

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

async function prepare(): Promise<{ orgId: string; key: string; brandId: string }> {
  const scopes = ['read', 'write'];
  const org = await system.operate('POST', '/orgs', { name: 'Traced', tier: 'scale' });
  const orgId: string = org.body.data.id;
  const key: string = (await system.operate('POST', `/orgs/${orgId}/keys`, { scopes })).body.data.key;
  const partnerId: string = (await system.operate('POST', '/partners', { name: 'Agency' })).body.data.id;
  const partnerKey: string = (await system.operate('POST', `/partners/${partnerId}/keys`, { scopes })).body
    .data.key;
  await system.operate('PUT', `/partners/${partnerId}/links/${orgId}`, { scope: 'read_write' });
  const body = { url: `${receiver.url}/hook` };
  const endpoint = await system.call('POST', '/webhook-endpoints', { key: partnerKey, body });
  await eventually(async () => {
    const listed = await system.call('GET', '/webhook-endpoints', { key: partnerKey });
    expect(listed.body.data).toMatchObject([{ status: 'active' }]);
  });
  const endpointPath = `/webhook-endpoints/${endpoint.body.data.id}/subscriptions`;
  await system.call('POST', endpointPath, { key: partnerKey, body: { event_type: 'scan.completed' } });
  const brand = await system.call('POST', `/orgs/${orgId}/properties`, {
    key,
    body: { name: 'Pipedrive', domain: 'pipedrive.com', markets: ['US'] },
  });
  const brandId: string = brand.body.data.id;
  await system.call('POST', `/orgs/${orgId}/brands/${brandId}/prompts`, {
    key,
    body: { text: 'Is Pipedrive a good CRM?', countries: ['US'] },
  });
  return { orgId, key, brandId };
}

/** The services on the way from a span up to the beginning of its trace, nearest first. */
function wayUp(spans: readonly Span[], span: Span): string[] {
  const byId = new Map(spans.map((each) => [each.spanId, each]));
  const way: string[] = [];
  for (let at: Span | undefined = span; at; at = byId.get(at.parentSpanId ?? '')) {
    if (way.at(-1) !== at.service) way.push(at.service);
  }
  return way;
}

test('one trace leads from a request at the edge, through the queue and NATS, to the delivery of its webhook', async () => {
  const { orgId, key, brandId } = await prepare();
  const asked = await system.call('POST', `/orgs/${orgId}/brands/${brandId}/scan-requests`, {
    key,
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  expect(asked.status).toBe(202);
  const delivered = await receiver.waitFor(({ body }) => JSON.parse(body).type === 'scan.completed', 60_000);

  const inTrace = (): Span[] => collector.spans.filter((span) => span.traceId === traceId);
  const delivery = await eventually(
    () => {
      const found = inTrace().find(({ name }) => name === 'deliver webhook');
      expect(found).toBeDefined();
      expect(new Set(inTrace().map(({ service }) => service))).toEqual(
        new Set(['gateway', 'scans', 'catalog', 'results', 'webhooks-api', 'webhooks-dispatcher']),
      );
      return found as Span;
    },
    { timeoutMs: 30_000 },
  );
  await eventually(() =>
    expect(wayUp(inTrace(), delivery)).toEqual([
      'webhooks-dispatcher',
      'webhooks-api',
      'results',
      'scans',
      'gateway',
    ]),
  );
  expect(inTrace().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['serve rpc.catalog.scan-plan', 'scan unit', 'process results.scan.scored.v1']),
  );

  // The trace is ours: what leaves for a receiver does not tell of it.
  expect(delivered.headers).not.toHaveProperty('traceparent');
}, 180_000);
