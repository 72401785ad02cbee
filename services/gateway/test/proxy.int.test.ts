import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, retryIfStalled } from '@bv/testkit';
import { startGateway, type TestGateway } from './gateway.ts';
import { json, type Responder } from './upstream.ts';

const upstreamTimeoutMs = 5_000;
let gateway: TestGateway;
let orgId: string;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({
    processes: true,
    env: { UPSTREAM_TIMEOUT_MS: String(upstreamTimeoutMs), REDIS_TIMEOUT_MS: '1000' },
  });
  ({ orgId, key } = await gateway.customer());
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const get = (tail = 'brands', headers = {}) =>
  gateway.call({ path: `/v1/orgs/${orgId}/${tail}`, key, headers });
const rawGet = () =>
  `GET /v1/orgs/${orgId}/brands HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${gateway.address}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
const uuid = '0b9e6f7c-95a6-4a24-9d3f-0d9f5d1f4b11';

describe('routing', () => {
  test('a literal segment has precedence; path and query are forwarded unchanged, ids in lower case', async () => {
    const calls: [string, string, string][] = [
      ['GET', 'brands/summary?limit=2', 'listBrandSummaries'],
      ['GET', `brands/${uuid.toUpperCase()}?a=%20b&a=1?`, 'getBrand'],
      ['GET', `prompts/${uuid}/results`, 'listPromptResults'],
      ['PUT', `brands/${uuid}/prompts`, 'syncPrompts'],
      ['DELETE', `brands/${uuid}/competitors/${uuid}`, 'unlinkCompetitor'],
    ];
    for (const [method, tail, operation] of calls) {
      const answer = await gateway.call({ method, path: `/v1/orgs/${orgId}/${tail}`, key });
      expect(answer.body.data.operation).toBe(operation);
      expect(gateway.upstream.calls.at(-1)?.url).toBe(
        `/v1/orgs/${orgId}/${tail}`.replace(uuid.toUpperCase(), uuid),
      );
    }
  });

  test('a read without an organisation is open to both kinds of keys, charged, and forwarded with none', async () => {
    const partner = await gateway.reseller();
    for (const each of [key, partner.key]) {
      const { status, headers, body } = await gateway.call({ path: '/v1/methodology', key: each });
      expect([status, body.data.operation]).toEqual([200, 'getMethodology']);
      expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(100_000);
      expect(gateway.upstream.calls.at(-1)).toMatchObject({
        url: '/v1/methodology',
        caller: { orgId: null },
      });
    }
    const anonymous = await gateway.call({ path: '/v1/methodology' });
    expect([anonymous.status, anonymous.body.error.code]).toEqual([401, 'invalid_api_key']);
  });

  test('HEAD is served wherever GET is', async () => {
    gateway.upstream.respond = (call, response) => {
      expect(call.method).toBe('HEAD');
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '17' }).end();
    };
    const answer = await gateway.call({ method: 'HEAD', path: `/v1/orgs/${orgId}/brands`, key });
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, '', '17']);
    expect(answer.headers['x-ratelimit-limit']).toBe('100000');
    const own = await gateway.call({ method: 'HEAD', path: '/v1/orgs', key });
    expect([own.status, own.text]).toEqual([200, '']);
  });
});

describe('responses', () => {
  test('are forwarded unchanged, without internal headers of the service', async () => {
    gateway.upstream.respond = (_, response) =>
      json(
        response,
        409,
        { error: { code: 'scan_in_progress', message: 'm' }, request_id: 'r' },
        {
          'retry-after': '5',
          'x-bv-published': '[]',
          'x-bv-replayed': 'true',
          'x-powered-by': 'x',
          server: 'x',
          'set-cookie': 'a=b',
          'access-control-allow-origin': '*',
          'x-request-id': 'theirs',
          'x-ratelimit-limit': '7',
        },
      );
    const { status, headers, body } = await get();
    expect([status, body.error.code, headers['retry-after']]).toEqual([409, 'scan_in_progress', '5']);
    expect(headers['x-ratelimit-limit']).toBe('100000');
    expect(headers['x-request-id']).not.toBe('theirs');
    for (const name of [
      'x-bv-published',
      'x-bv-replayed',
      'idempotent-replayed',
      'x-powered-by',
      'server',
      'set-cookie',
      'access-control-allow-origin',
    ]) {
      expect(headers[name]).toBeUndefined();
    }
  });

  test('of megabytes are streamed completely', async () => {
    const data = 'x'.repeat(8_000_000);
    gateway.upstream.respond = (_, response) => json(response, 200, { data });
    expect((await get()).body.data).toHaveLength(data.length);
  });

  test('a 500 of the service is forwarded; its own 401, a redirect or HTML is api_unavailable', async () => {
    gateway.upstream.respond = (_, response) =>
      json(response, 500, { error: { code: 'internal_error', message: 'Internal error' }, request_id: 'r' });
    const internal = await get();
    expect([internal.status, internal.body.error.code]).toEqual([500, 'internal_error']);
    for (const [status, type] of [
      [401, 'application/json'],
      [302, 'application/json'],
      [200, 'text/html'],
      [502, 'text/html'],
    ] as const) {
      gateway.upstream.respond = (_, response) =>
        void response.writeHead(status, { 'content-type': type }).end('{}');
      const answer = await get();
      expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
        503,
        'api_unavailable',
        '5',
      ]);
      expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
    }
  });

  test('a 503 of the service is forwarded without rate limit headers', async () => {
    gateway.upstream.respond = (_, response) =>
      json(
        response,
        503,
        { error: { code: 'api_unavailable', message: 'm' }, request_id: 'r' },
        { 'retry-after': '9' },
      );
    const { status, headers } = await get();
    expect([status, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([503, '9', undefined]);
  });
});

describe('a service that fails', () => {
  test('too slow for the deadline is api_unavailable', async () => {
    gateway.upstream.respond = () => undefined;
    const startedAt = performance.now();
    expect((await get()).body.error.code).toBe('api_unavailable');
    expect(performance.now() - startedAt).toBeLessThan(upstreamTimeoutMs + 2_500);
  });

  test('too slow for more reads than it has connections is api_unavailable to all of them at once', async () => {
    gateway.upstream.respond = () => undefined;
    const all = async (): Promise<void> => {
      const startedAt = performance.now();
      const answers = await Promise.all(Array.from({ length: 400 }, () => get()));
      expect(performance.now() - startedAt).toBeLessThan(upstreamTimeoutMs + 3_500);
      for (const { status, body } of answers)
        expect([status, body.error.code]).toEqual([503, 'api_unavailable']);
    };
    await retryIfStalled(all, { stallMs: 800 });
  });

  test('that stops after a write was sent gets no second request', async () => {
    gateway.upstream.respond = (_, response) => void response.destroy();
    const write = await gateway.call({ method: 'POST', path: `/v1/orgs/${orgId}/properties`, key, body: {} });
    expect([write.status, write.body.error.code]).toEqual([503, 'api_unavailable']);
    // Reads of the previous test that waited for a connection may still arrive.
    expect(gateway.upstream.calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('that stops during a response truncates it visibly', async () => {
    gateway.upstream.respond = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"data":');
      setTimeout(() => response.destroy(), 50);
    };
    await expect(get()).rejects.toThrow(/aborted|hang up|reset/);
  });

  test('that stalls during a response until the deadline truncates it; a response in pieces may take longer', async () => {
    const pauseMs = upstreamTimeoutMs * 0.6;
    gateway.upstream.respond = ({ url }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":');
      if (url.endsWith('/brands')) return;
      setTimeout(() => response.write('['), pauseMs);
      setTimeout(() => response.end(']}'), pauseMs * 2);
    };
    const startedAt = performance.now();
    const silent = get();
    const pieces = get(`brands/${uuid}`);
    await expect(silent).rejects.toThrow(/aborted|hang up|reset/);
    expect(performance.now() - startedAt).toBeGreaterThan(upstreamTimeoutMs - 100);
    expect(await pieces).toMatchObject({ status: 200, body: { data: [] } });
    expect(performance.now() - startedAt).toBeGreaterThan(pauseMs * 2 - 100);
  });

  test('restarted, it is served again although its old connections are dead', async () => {
    expect((await get()).status).toBe(200);
    await gateway.upstream.close();
    await gateway.upstream.reopen();
    expect((await get()).status).toBe(200);
  });

  test('that stops after a read was sent gets it once more, on another connection', async () => {
    const ports: (number | undefined)[] = [];
    let breaks = 1;
    gateway.upstream.respond = (_, response) => {
      if (ports.push(response.socket?.remotePort) <= breaks) response.destroy();
      else json(response, 200, { data: {} });
    };
    expect((await get()).status).toBe(200);
    expect(ports[0]).not.toBe(ports[1]);
    breaks = 4;
    expect([(await get()).status, ports.length]).toEqual([503, 4]);
  });
});

const large = Buffer.from(JSON.stringify({ data: 'x'.repeat(12_000_000) }));

/** Clients that read the start of a response of megabytes and then stop reading. */
async function stall(count: number, respond?: Responder): Promise<Socket[]> {
  gateway.upstream.respond =
    respond ??
    ((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(large));
  const sockets = Array.from({ length: count }, () => connect(gateway.port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.pause());
    socket.write(rawGet());
  }
  const most = Math.min(count, 128) - 4;
  await eventually(() => expect(gateway.upstream.calls.length).toBeGreaterThan(most), { timeoutMs: 30_000 });
  return sockets;
}

describe('clients that stall', () => {
  test('130 during a response occupy service connections no longer than the upstream timeout', async () => {
    const sockets = await stall(130);
    gateway.upstream.reset();
    await eventually(async () => expect((await get()).status).toBe(200), {
      timeoutMs: upstreamTimeoutMs + 6_000,
    });
    for (const socket of sockets) socket.destroy();
  });
});

describe('a client that stalls and then continues to read', () => {
  test('is disconnected if its service then sends nothing more', async () => {
    const respond: Responder = (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).write(large.subarray(1));
    const [socket] = (await stall(1, respond)) as [Socket];
    // Paused by its first bytes: a client that pauses only after it was resumed would read no more.
    await eventually(() => expect(socket.isPaused()).toBe(true), { timeoutMs: 30_000 });
    await sleep(500);
    const closed = once(socket, 'close');
    let received = 0;
    socket.on('data', ({ length }: Buffer) => (received += length)).resume();
    const resumedAt = performance.now();
    await closed;
    const closedMs = performance.now() - resumedAt;
    expect(received).toBeGreaterThan(10_000_000);
    expect(closedMs).toBeGreaterThan(upstreamTimeoutMs - 200);
    expect(closedMs).toBeLessThan(upstreamTimeoutMs + 3_000);
  });
});

describe('clients that disconnect', () => {
  test('64 during a response do not occupy service connections', async () => {
    const sockets = await stall(64);
    for (const socket of sockets) socket.destroy();
    gateway.upstream.reset();
    const startedAt = performance.now();
    expect((await get()).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(upstreamTimeoutMs - 100);
  });

  test('a read without a client is aborted at the service', async () => {
    let gone = false;
    gateway.upstream.respond = (_, response) => void response.on('close', () => (gone = true));
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(rawGet());
    await eventually(() => expect(gateway.upstream.calls).toHaveLength(1));
    // Only a reset shows that the client disconnected. A half-closed client may still wait for its response.
    socket.resetAndDestroy();
    await eventually(() => expect(gone).toBe(true), { timeoutMs: upstreamTimeoutMs - 500 });
  });
});
