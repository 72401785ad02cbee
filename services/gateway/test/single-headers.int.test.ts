import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sendRaw } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
let customer: Awaited<ReturnType<TestGateway['customer']>>;
beforeAll(async () => {
  gateway = await startGateway({ env: { REDIS_TIMEOUT_MS: '5000' } });
  customer = await gateway.customer();
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

type Envelope = { error: { code: string; details: unknown } };
const body = '{"active":true}';

async function patch(headers: string[], { version = '1.1', host = ['Host: x'] } = {}) {
  const { orgId, key } = customer;
  const head = [
    `PATCH /v1/orgs/${orgId}/prompts/${orgId} HTTP/${version}`,
    ...host,
    `Authorization: Bearer ${key}`,
    'Connection: close',
    ...headers,
    `Content-Length: ${body.length}`,
  ];
  const raw = await sendRaw(gateway.port, `${head.join('\r\n')}\r\n\r\n${body}`);
  const statuses = [...raw.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  const envelope = raw.slice(raw.lastIndexOf('\r\n\r\n') + 4);
  const error = statuses.at(-1) === 400 ? (JSON.parse(envelope) as Envelope).error : undefined;
  return { raw, statuses, error };
}

describe('a header that means one thing is read once', () => {
  test.each(['Content-Type: text/plain', 'Content-Encoding: identity', 'Expect: 200-maybe'])(
    '%s twice counts as one',
    async (line) => {
      expect((await patch([line, line])).statuses).toEqual([200]);
    },
  );

  test.each([
    ['Content-Type: application/json', 'Content-Type: text/plain'],
    ['Content-Encoding: identity', 'content-encoding: gzip'],
    ['Expect: 100-continue', 'Expect: x'],
  ])('%s and %s are invalid_request', async (...lines) => {
    const { statuses, error } = await patch(lines);
    expect([statuses, error?.code]).toEqual([[400], 'invalid_request']);
    expect(gateway.upstream.calls).toEqual([]);
  });

  test.each([`${body.length}`, '0'])(
    'Content-Length twice is invalid_request: %s in front',
    async (length) => {
      const { statuses, error } = await patch([`Content-Length: ${length}`]);
      expect([statuses, error?.code]).toEqual([[400], 'invalid_request']);
      expect(gateway.upstream.calls).toEqual([]);
    },
  );

  test('an Idempotency-Key given twice is the same key as given once; two keys are invalid_header', async () => {
    const line = `Idempotency-Key: ${randomUUID()}`;
    expect((await patch([line, line])).statuses).toEqual([200]);
    expect((await patch([line])).raw).toMatch(/^idempotent-replayed: true\r$/im);
    const [call, ...others] = gateway.upstream.calls;
    expect([call?.headers['idempotency-key'], others]).toEqual([line.split(': ')[1], []]);

    const { statuses, error } = await patch(['Idempotency-Key: a', 'idempotency-key: b']);
    expect([statuses, error?.code]).toEqual([[400], 'validation_error']);
    expect(error?.details).toMatchObject([{ path: 'Idempotency-Key', code: 'invalid_header' }]);
    // One line with a comma is one key.
    expect((await patch(['Idempotency-Key: a, b'])).statuses).toEqual([200]);
  });

  test.each([
    [['Host: x', 'Host: y']],
    [['Host: x', 'Host: x']],
    [['Host:']],
    [['Host: a b']],
    [['Host: a/b']],
    [['Host: user@a']],
    [['Host: a:b']],
    [['Host: a:65536']],
    [['Host: [::1']],
    [['Host: [1.2.3]']],
    [['Host: a%zz']],
    [[]],
  ])('%j is not one valid Host', async (host) => {
    const { statuses, error } = await patch([], { host });
    expect([statuses, error?.code]).toEqual([[400], 'invalid_request']);
  });

  test.each(['a_b.example', '127.0.0.1:8080', '[::1]:80', 'xn--a', 'A.example.', 'a%41:'])(
    'Host: %s is valid',
    async (host) => {
      expect((await patch([], { host: [`Host: ${host}`] })).statuses).toEqual([200]);
    },
  );

  test('an empty Content-Encoding means none', async () => {
    expect((await patch(['Content-Encoding:'])).statuses).toEqual([200]);
  });
});

describe('100 Continue', () => {
  test.each([
    ['1.1', 'Expect: 100-Continue', [100, 200]],
    ['1.0', 'Expect: 100-continue', [200]],
    ['1.1', 'Expect: 200-maybe', [200]],
    ['1.1', 'Expect: x100-continue', [200]],
    ['1.1', 'Expect: 100-continue, x', [200]],
  ])('HTTP/%s with %s: %j', async (version, line, expected) => {
    expect((await patch([line], { version })).statuses).toEqual(expected);
  });
});

describe('Accept-Encoding is a list', () => {
  test.each([
    ['gzip;q=0', undefined],
    ['identity, gzip;q=0', undefined],
    ['gzip;q=0.000, *;q=0', undefined],
    ['*;q=0', undefined],
    ['pack200-gzip', undefined],
    ['gzip;q=0.2, identity;q=0.9', undefined],
    ['', undefined],
    ['gzip;q=oops', undefined],
    ['GZIP', 'gzip'],
    ['deflate, gzip;q=0.5', 'gzip'],
    ['*', 'gzip'],
  ])('%s: %s', async (value, encoding) => {
    const response = await gateway.call({ path: '/openapi.json', headers: { 'accept-encoding': value } });
    expect([response.status, response.headers['content-encoding']]).toEqual([200, encoding]);
  });
});
