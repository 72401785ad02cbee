import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { platformIds } from '@bv/contract';
import { eventually, startReceiver, type Receiver } from '@bv/testkit';
import { startOtlpReceiver, type Span } from './otlp-receiver.ts';
import { parse } from 'yaml';
import { parseSelectors } from './promql.ts';
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

/** The services of the ancestors of a span, nearest first. */
function listAncestorServices(spans: readonly Span[], span: Span): string[] {
  const byId = new Map(spans.map((each) => [each.spanId, each]));
  const services: string[] = [];
  for (let at: Span | undefined = span; at; at = byId.get(at.parentSpanId ?? '')) {
    if (services.at(-1) !== at.service) services.push(at.service);
  }
  return services;
}

test('one trace leads from a request at the edge, through the queue and NATS, to the delivery of its webhook', async () => {
  const { orgId, key, brandId } = await prepare();
  const requested = await system.call('POST', `/orgs/${orgId}/brands/${brandId}/scan-requests`, {
    key,
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  expect(requested.status).toBe(202);
  const scores = await system.call('GET', `/orgs/${orgId}/brands/${brandId}/scores`, { key });
  expect(scores.status).toBe(200);
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
    expect(listAncestorServices(inTrace(), delivery)).toEqual([
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

  const calls = await eventually(() => {
    const found = inTrace().filter(({ attributes }) => attributes['gen_ai.operation.name'] !== undefined);
    const called = new Set(found.map(({ attributes }) => attributes['platform']));
    expect(called).toEqual(new Set([...platformIds, 'judge']));
    return found;
  });

  // The trace is internal: requests to platforms and receivers do not carry it.
  const callIds = calls.map(({ spanId }) => spanId);
  expect(inTrace().filter(({ parentSpanId }) => callIds.includes(parentSpanId ?? ''))).toEqual([]);
  expect(delivered.headers).not.toHaveProperty('traceparent');
}, 180_000);

test('requests of the same event-loop tick keep their own traces', async () => {
  const { orgId, key } = await prepare();
  const traces = Array.from({ length: 40 }, () => randomBytes(16).toString('hex'));
  const responses = await Promise.all(
    traces.map((each) =>
      system.call('GET', `/orgs/${orgId}/brands`, {
        key,
        headers: { traceparent: `00-${each}-00f067aa0ba902b7-01` },
      }),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const served = (each: string): number =>
    collector.spans.filter(
      ({ traceId, service, kind }) => traceId === each && service === 'catalog' && kind === 2,
    ).length;
  await eventually(() => expect(traces.map(served)).toEqual(traces.map(() => 1)), { timeoutMs: 30_000 });
});

const chart = new URL('../deploy/helm/brand-visibility/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, chart), 'utf8');

type Rule = { alert: string; expr: string; annotations: { summary: string } };
const alerts = (parse(read('files/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);

type Dashboard = { title: string; panels: { title: string; targets?: { expr: string }[] }[] };
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
  ...readdirSync(new URL('files/dashboards', chart)).flatMap((file) => {
    const { title, panels } = JSON.parse(read(`files/dashboards/${file}`)) as Dashboard;
    return panels.flatMap((panel) =>
      (panel.targets ?? []).map(({ expr }) => ({
        where: `${title}, ${panel.title}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      })),
    );
  }),
];

/** Labels that the scrape configuration adds to every series. */
const scrapeLabels = ['namespace', 'pod', 'instance', 'component'];

/** All series of all processes by name, with the labels of each. A name without a series is included. */
async function scrape(): Promise<Map<string, Record<string, string>[]>> {
  const series = new Map<string, Record<string, string>[]>();
  for (const { readyUrl } of system.stack.plan.filter(({ name }) => name !== 'simulator')) {
    const text = await (await fetch(readyUrl.replace('/readyz', '/metrics'))).text();
    for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      const parts = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      for (const part of parts) series.set(`${name}${part}`, series.get(`${name}${part}`) ?? []);
    }
    for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
      const found = Object.fromEntries(
        [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [
          String(key),
          String(value),
        ]),
      );
      series.get(name)?.push(found);
    }
  }
  return series;
}

test('every metric, label and service that an alert or a panel reads is exported by a running process', async () => {
  const series = await scrape();
  expect(expressions.length).toBeGreaterThan(60);
  const missing: string[] = [];
  for (const { where, expr } of expressions) {
    const selectors = parseSelectors(expr);
    expect({ where, selectors }).not.toEqual({ where, selectors: [] });
    for (const { metric, matchers } of selectors) {
      const found = series.get(metric);
      if (!found) missing.push(`${where}: ${metric}`);
      for (const { label, value } of matchers) {
        if (!found || found.length === 0 || scrapeLabels.includes(label)) continue;
        const known = found.some((labels) =>
          label === 'service' ? labels[label] === value : label in labels,
        );
        if (!known) missing.push(`${where}: ${metric}{${label}="${value}"}`);
      }
    }
  }
  expect(missing).toEqual([]);
});

test('every exported series of the product is read by an alert or a panel', async () => {
  const watched = new Set(
    expressions.flatMap(({ expr }) => parseSelectors(expr)).map(({ metric }) => metric),
  );
  const own = [...(await scrape()).keys()].filter((name) => /^(?:bv|gen_ai)_/.test(name));
  expect(own.length).toBeGreaterThan(25);
  const unwatched = own.filter((name) => {
    const parts = [
      name,
      name.replace(/_(sum|count|bucket)$/, '_bucket'),
      name.replace(/_(sum|bucket)$/, '_count'),
    ];
    return !parts.some((part) => watched.has(part));
  });
  expect(unwatched).toEqual([]);
});
