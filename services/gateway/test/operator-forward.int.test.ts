import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { send } from './client.ts';
import { operatorToken, startGateway, type TestGateway } from './gateway.ts';
import { json } from './upstream.ts';

let gateway: TestGateway;
const docs = mkdtempSync(join(tmpdir(), 'bv-docs-'));
beforeAll(async () => {
  writeFileSync(join(docs, 'openapi-operator.json'), '{"openapi":"3.1.0"}');
  gateway = await startGateway({ env: { OPENAPI_PATH: join(docs, 'openapi.json') } });
});
beforeEach(() => gateway.upstream.reset());
afterAll(async () => {
  await gateway.stop();
  rmSync(docs, { recursive: true });
});

const operations: [string, string, string][] = [
  ['POST', '/orgs', 'operatorCreateOrg'],
  ['GET', '/orgs?limit=2&cursor=x', 'operatorListOrgs'],
  ['GET', `/orgs/${randomUUID()}`, 'operatorGetOrg'],
  ['PATCH', `/orgs/${randomUUID()}`, 'operatorUpdateOrg'],
  ['DELETE', `/orgs/${randomUUID()}`, 'operatorDeleteOrg'],
  ['POST', `/orgs/${randomUUID()}/scan-credits`, 'operatorAddScanCredits'],
  ['POST', `/brands/${randomUUID()}/archive`, 'operatorArchiveBrand'],
  ['POST', `/brands/${randomUUID()}/restore`, 'operatorRestoreBrand'],
  ['POST', `/brands/${randomUUID()}/scans`, 'operatorRunScan'],
  ['POST', '/results/import', 'operatorImportResults'],
  ['POST', `/webhook-endpoints/${randomUUID()}/disable`, 'operatorDisableEndpoint'],
  ['POST', `/webhook-endpoints/${randomUUID()}/enable`, 'operatorEnableEndpoint'],
];

test('serves its description, with the token', async () => {
  const call = (headers: Record<string, string>) =>
    send(gateway.operatorPort, { path: '/openapi.json', headers });
  const { status, body } = await call({ authorization: `Bearer ${operatorToken}` });
  expect([status, body]).toEqual([200, { openapi: '3.1.0' }]);
  expect((await call({})).status).toBe(401);
});

describe('an operation of another service', () => {
  test.each(operations)('%s %s is forwarded as %s', async (method, path, operation) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : { name: 'Ä' };
    const answer = await gateway.operator(method, path, body);
    expect(answer.body).toEqual({ data: { operation } });
    const [call] = gateway.upstream.calls;
    expect([call?.method, call?.url]).toEqual([method, `/operator/v1${path}`]);
    expect(call?.body).toBe(body === undefined ? '' : JSON.stringify(body));
    expect(call?.caller).toMatchObject({ owner: { kind: 'operator' }, operation, operationId: null });
    expect(call?.headers.authorization).toBeUndefined();
    expect(call?.caller.requestId).toBe(answer.headers['x-request-id']);
  });

  test('an import of any length streams through', async () => {
    const lines = `${JSON.stringify({ text: 'x'.repeat(1_000) })}\n`.repeat(5_000);
    const answer = await send(gateway.operatorPort, {
      method: 'POST',
      path: '/operator/v1/results/import',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/x-ndjson' },
      body: lines,
    });
    expect(answer.status).toBe(200);
    expect(gateway.upstream.calls[0]?.body).toBe(lines);
    expect(gateway.upstream.calls[0]?.headers['content-type']).toBe('application/x-ndjson');
  });

  test.each([
    ['/results/import', { 'content-encoding': 'gzip' }],
    ['/results/import', { 'content-type': 'application/x-ndjson; charset=iso-8859-1' }],
    ['/orgs', { 'content-encoding': 'gzip' }],
    ['/orgs', { 'content-type': 'application/json; charset=utf-16' }],
  ])('400 invalid_body: POST %s with %j reaches no service', async (path, headers) => {
    const {
      status,
      body,
      headers: answered,
    } = await send(gateway.operatorPort, {
      method: 'POST',
      path: `/operator/v1${path}`,
      headers: { authorization: `Bearer ${operatorToken}`, ...headers },
      body: gzipSync('{}\n'),
    });
    expect([status, body.error.code]).toEqual([400, 'invalid_body']);
    expect(body.request_id).toBe(answered['x-request-id']);
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('its refusals are forwarded without internal headers', async () => {
    gateway.upstream.respond = (_, response) =>
      json(
        response,
        409,
        { error: { code: 'brand_archived', message: 'm' }, request_id: 'r' },
        { 'x-internal': '1' },
      );
    const { status, body, headers } = await gateway.operator('POST', `/brands/${randomUUID()}/scans`);
    expect([status, body.error.code, headers['x-internal']]).toEqual([409, 'brand_archived', undefined]);
  });

  test('413 payload_too_large, and 503 api_unavailable while it is down', async () => {
    const large = await gateway.operator('POST', '/orgs', { name: 'x'.repeat(1_100_000) });
    expect([large.status, large.body.error.code]).toEqual([413, 'payload_too_large']);
    await gateway.upstream.close();
    const down = await gateway.operator('GET', '/orgs');
    await gateway.upstream.reopen();
    const { code, message } = down.body.error;
    expect([down.status, code, message, down.headers['retry-after']]).toEqual([
      503,
      'api_unavailable',
      'catalog cannot answer now',
      '5',
    ]);
  });
});
