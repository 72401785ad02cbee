import { Writable } from 'node:stream';
import { createLifecycle, type Lifecycle } from '@bv/lifecycle';
import { createLogger } from '@bv/telemetry';
import { eventually, registerStub } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Sent } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { json } from './upstream.ts';

let gateway: TestGateway;
let lifecycle: Lifecycle;
let ports: { port: number; monitoringPort: number };
let written = '';

beforeAll(async () => {
  gateway = await startGateway();
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString();
      done();
    },
  });
  const config = readConfig({ ...gateway.settings, FAILED_ATTEMPTS_PER_MINUTE: '1' });
  const log = createLogger({ service: 'gateway', level: 'info', destination });
  lifecycle = createLifecycle({ log, drainMs: 0 });
  ports = await createApp(config, { log, lifecycle });
  registerStub(`http://127.0.0.1:${ports.port}`, 'data');
});
afterAll(async () => {
  await lifecycle.stop('test over');
  await gateway.stop();
});

const call = (sent: Sent) => gateway.call(sent, ports.port);

/** Waits for the line: it is written after the client may have received the response. */
const findLines = (requestId: unknown): Promise<Record<string, unknown>[]> =>
  eventually(async () => {
    const lines = written
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['requestId'] === requestId && line['msg'] === 'request');
    expect(lines.length).toBeGreaterThan(0);
    return lines;
  });

async function readMetric(name: string, labels: Record<string, string>): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${ports.monitoringPort}/metrics`)).text();
  const found = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .filter((line) => Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`)));
  return found.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

test('one log line for each request with caller, operation and outcome, without secrets', async () => {
  const { key, keyId, orgId } = await gateway.customer();
  const idempotencyKey = 'an-idempotency-key-of-the-client';
  const read = await call({ path: `/v1/orgs/${orgId}/brands?cursor=a-cursor`, key });
  const refused = await call({ method: 'PATCH', path: `/v1/orgs/${orgId}/link`, key, body: {} });
  const write = await call({
    method: 'POST',
    path: `/v1/orgs/${orgId}/properties`,
    key,
    headers: { 'idempotency-key': idempotencyKey },
    body: { text: 'text-of-the-body' },
  });
  const lines = [];
  for (const { headers } of [read, refused, write]) lines.push(await findLines(headers['x-request-id']));
  expect(lines.map(({ length }) => length)).toEqual([1, 1, 1]);
  const known = {
    keyPrefix: key.slice(0, 12),
    keyId,
    owner: { kind: 'organisation', id: orgId },
    orgId,
    durationMs: expect.any(Number),
  };
  expect(lines.flat()).toMatchObject([
    { ...known, operation: 'listBrands', method: 'GET', status: 200 },
    { ...known, operation: 'updateLink', method: 'PATCH', status: 403, errorCode: 'partner_only' },
    { ...known, operation: 'createProperty', method: 'POST', status: write.status },
  ]);
  for (const secret of [key, key.slice(12), idempotencyKey, 'text-of-the-body', 'a-cursor']) {
    expect(written).not.toContain(secret);
  }
});

test('a refused key is in no log line, not even its prefix', async () => {
  const wrong = `bvk_live_${'Q'.repeat(43)}`;
  const address = { 'x-forwarded-for': '192.0.2.76' };
  const { headers, status } = await call({ path: '/v1/orgs', key: wrong, headers: address });
  const [line] = await findLines(headers['x-request-id']);
  expect([status, line?.['status'], line?.['keyPrefix']]).toEqual([401, 401, undefined]);
  expect(written).not.toContain(wrong.slice(0, 12));
});

test('counted: requests by operation and outcome, both limiters, idempotency, Redis and Postgres', async () => {
  const { key, orgId } = await gateway.customer();
  const few = await gateway.customer({ per_minute: 1 });
  const spent = await gateway.customer({ monthly_quota: 1 });
  const unentitled = await gateway.customer({}, { apiAccess: false });
  const write: Sent = {
    method: 'POST',
    path: `/v1/orgs/${orgId}/properties`,
    key,
    headers: { 'idempotency-key': 'twice' },
    body: { name: 'x' },
  };
  for (const sent of [write, write, { ...write, body: { name: 'y' } }]) await call(sent);
  // At least two of the three are in one clock minute.
  for (let sent = 0; sent < 3; sent += 1) await call({ path: '/v1/orgs', key: few.key });
  for (let sent = 0; sent < 2; sent += 1) await call({ path: '/v1/orgs', key: spent.key });
  await call({ path: '/v1/orgs', key: unentitled.key });
  const address = { 'x-forwarded-for': '192.0.2.77' };
  for (let sent = 0; sent < 3; sent += 1) await call({ path: '/v1/orgs', key: 'wrong', headers: address });
  const requests = 'bv_edge_request_duration_seconds_count';
  const expected: [string, Record<string, string>][] = [
    [requests, { operation: 'createProperty', outcome: 'ok' }],
    [requests, { operation: 'createProperty', outcome: 'replayed' }],
    [requests, { operation: 'createProperty', outcome: 'idempotency_key_reuse', status: '409' }],
    [requests, { operation: 'listOrgs', outcome: 'rate_limited', status: '429' }],
    [requests, { operation: 'listOrgs', outcome: 'quota_exceeded', status: '429' }],
    ['bv_edge_rate_limiter_total', { outcome: 'admitted' }],
    ['bv_edge_rate_limiter_total', { outcome: 'over_minute' }],
    ['bv_edge_rate_limiter_total', { outcome: 'over_month' }],
    ['bv_edge_rate_limiter_total', { outcome: 'not_entitled' }],
    ['bv_edge_failed_attempt_limiter_total', { outcome: 'counted' }],
    ['bv_edge_failed_attempt_limiter_total', { outcome: 'refused' }],
    ['bv_edge_idempotency_total', { outcome: 'acquired' }],
    ['bv_edge_idempotency_total', { outcome: 'replayed' }],
    ['bv_edge_idempotency_total', { outcome: 'idempotency_key_reuse' }],
    ['bv_redis_call_duration_seconds_count', { script: 'chargeRequest', outcome: 'ok' }],
    ['bv_redis_call_duration_seconds_count', { script: 'countAttempt', outcome: 'ok' }],
    ['bv_db_query_duration_seconds_count', {}],
  ];
  for (const [name, labels] of expected) {
    const counted = await eventually(async () => {
      const value = await readMetric(name, labels);
      expect([name, labels, value > 0]).toEqual([name, labels, true]);
      return value;
    });
    expect(counted).toBeGreaterThan(0);
  }
});

test('an MCP message and each operation of its tool are logged and counted, with the tool and the message', async () => {
  const { key, orgId } = await gateway.customer();
  const params = { name: 'list_brands', arguments: { org_id: orgId } };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const accept = 'application/json, text/event-stream';
  gateway.upstream.respond = (_, response) => json(response, 200, { data: [] });
  const { headers } = await call({ method: 'POST', path: '/mcp', key, body, headers: { accept } });
  gateway.upstream.reset();
  const mcpRequestId = headers['x-request-id'];
  const [message] = await findLines(mcpRequestId);
  const tool = { mcpMethod: 'tools/call', mcpRequestId, tool: 'list_brands', keyPrefix: key.slice(0, 12) };
  expect(message).toMatchObject({ operation: 'mcp', method: 'POST', status: 200, ...tool });
  const lines = written.split('\n').filter((line) => line.includes('"listBrandSummaries"'));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { operation: 'listBrandSummaries', method: 'GET', status: 200, orgId, ...tool },
  ]);
  expect(written).not.toContain(key);
  expect(await readMetric('bv_edge_mcp_tool_calls_total', { tool: 'list_brands', outcome: 'ok' })).toBe(1);
  const requests = 'bv_edge_request_duration_seconds_count';
  expect(await readMetric(requests, { operation: 'mcp', outcome: 'ok' })).toBe(1);
  expect(await readMetric(requests, { operation: 'listBrandSummaries', outcome: 'ok' })).toBe(1);
});
