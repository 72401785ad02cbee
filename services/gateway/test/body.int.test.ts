import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import { nextRequest, sendRaw } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { json } from './upstream.ts';

const bodyTimeoutMs = 2_000;
const limit = 1_048_576;
let gateway: TestGateway;
let orgId: string;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({ env: { BODY_TIMEOUT_MS: String(bodyTimeoutMs) } });
  ({ orgId, key } = await gateway.customer());
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const path = (): string => `/v1/orgs/${orgId}/properties`;
const post = (body: unknown, headers = {}) =>
  gateway.call({ method: 'POST', path: path(), key, body, headers });
const head = (more: string): string =>
  `POST ${path()} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nX-Forwarded-For: ${gateway.address}\r\n${more}\r\n\r\n`;

describe('a body that arrives', () => {
  test('is forwarded byte for byte, without other parts of the request', async () => {
    const body = '{ "b": 1.0, "a": "é", "b": 2 }';
    const answer = await post(body, {
      'x-bv-caller': 'forged',
      'x-request-id': 'mine',
      cookie: 'a=b',
      te: 'trailers',
      forwarded: 'for=1.2.3.4',
      'x-custom': 'x',
      'accept-encoding': 'gzip',
    });
    expect(answer.status).toBe(200);
    const [call] = gateway.upstream.calls;
    expect(call?.body).toBe(body);
    expect(Object.keys(call?.headers ?? {}).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'x-bv-caller',
    ]);
    expect(call?.caller).toMatchObject({
      requestId: answer.headers['x-request-id'],
      orgId,
      operation: 'createProperty',
      operationId: null,
      scopes: ['read', 'write'],
      owner: { kind: 'organisation', id: orgId },
      link: { scope: 'owner', externalRef: null },
    });
  });

  test('of 1,048,576 bytes passes, of one more is payload_too_large, declared or not', async () => {
    const exact = JSON.stringify('x'.repeat(limit - 2));
    expect((await post(exact)).status).toBe(200);
    const declared = await post(`${exact} `);
    expect([declared.status, declared.body.error.code]).toEqual([413, 'payload_too_large']);
    expect(declared.headers['x-ratelimit-limit']).toBe('100000');
    const chunk = 'x'.repeat(65_536);
    const chunked = Array.from({ length: 17 }, () => `10000\r\n${chunk}\r\n`).join('');
    const raw = await sendRaw(
      gateway.port,
      `${head('Transfer-Encoding: chunked\r\nConnection: close')}${chunked}0\r\n\r\n`,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 413 /);
    expect(gateway.upstream.calls).toHaveLength(1);
  });

  test('declared too large is refused before a byte of it', async () => {
    const raw = await sendRaw(gateway.port, head(`Content-Length: ${limit + 1}`));
    expect(raw).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('invalid_body: charset, content encoding, bytes that are no UTF-8', async () => {
    const codes = await Promise.all(
      [
        post('{}', { 'content-type': 'application/json; charset=iso-8859-1' }),
        post('{}', { 'content-type': 'application/json;charset="utf-16"' }),
        post(gzipSync('{}'), { 'content-encoding': 'gzip' }),
        post(Buffer.from([0x22, 0xe9, 0x22])),
      ].map(async (answer) => {
        const { status, body } = await answer;
        return [status, body.error.code];
      }),
    );
    expect(codes).toEqual(codes.map(() => [400, 'invalid_body']));
    const fine = [
      post('{}', { 'content-type': 'application/json; charset=UTF-8' }),
      post('{}', { 'content-type': 'text/plain' }),
      post('{}', { 'content-encoding': 'identity' }),
    ];
    for (const answer of fine) expect((await answer).status).toBe(200);
  });

  test('invalid_json: also for an operation that has no body; an absent body is validated by the service', async () => {
    for (const text of ['{', 'nope', "{'a':1}", '\ufeff{}', '{} {}']) {
      expect((await post(text)).body.error.code).toBe('invalid_json');
    }
    const scan = `/v1/orgs/${orgId}/brands/${orgId}/scan-requests`;
    const answer = await gateway.call({ method: 'POST', path: scan, key, body: '{' });
    expect(answer.body.error.code).toBe('invalid_json');
    expect((await gateway.call({ method: 'POST', path: scan, key })).status).toBe(200);
    expect((await gateway.call({ method: 'POST', path: path(), key })).status).toBe(200);
  });

  test('nested 100,000 deep costs no stack', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect((await post(deep, { 'idempotency-key': 'deep' })).status).toBe(200);
  });

  test('is requested by 100-continue only after the checks have passed', async () => {
    const passed = await sendRaw(gateway.port, head('Content-Length: 2\r\nExpect: 100-continue'));
    expect(passed).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    const refused = head('Content-Length: 2\r\nExpect: 100-continue').replace(key, `${key.slice(0, -1)}!`);
    const raw = await sendRaw(gateway.port, refused);
    expect(raw).toMatch(/^HTTP\/1\.1 401 /);
    expect(raw.toLowerCase()).toContain('connection: close');
  });
});

describe('a body that does not arrive', () => {
  test('closes the connection without a byte, not before its time', async () => {
    for (const framing of ['Content-Length: 10', 'Transfer-Encoding: chunked']) {
      const startedAt = performance.now();
      const raw = await sendRaw(gateway.port, `${head(framing)}1\r\n`);
      const tookMs = performance.now() - startedAt;
      expect(raw).toBe('');
      expect(tookMs).toBeGreaterThan(bodyTimeoutMs - 50);
      expect(tookMs).toBeLessThan(bodyTimeoutMs + 7_000);
    }
    expect(gateway.upstream.calls).toEqual([]);
  });

  test('dribbling does not extend the time; a body just in time is served', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(head('Content-Length: 1000'));
    const timer = setInterval(() => socket.write(' '), 50);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(timer);
    expect(received).toBe('');
  });

  test('a refusal before the body is sent immediately; the rest of the body has the same deadline', async () => {
    const refused = head('Content-Length: 100000').replace(key, `${key.slice(0, -1)}!`);
    const startedAt = performance.now();
    const raw = await sendRaw(gateway.port, refused);
    expect(raw).toMatch(/^HTTP\/1\.1 401 /);
    expect(performance.now() - startedAt).toBeLessThan(bodyTimeoutMs + 7_000);
  });

  test('after a refusal the connection serves the next request', async () => {
    const refused = head('Content-Length: 2').replace(key, `${key.slice(0, -1)}!`);
    const next = `GET /v1/orgs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nX-Forwarded-For: ${gateway.address}\r\nConnection: close\r\n\r\n`;
    const raw = await sendRaw(gateway.port, `${refused}{}${next}`);
    expect(raw.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  test('a chunk that cannot be parsed in mid-body is invalid_request', async () => {
    const raw = await sendRaw(gateway.port, `${head('Transfer-Encoding: chunked')}zz\r\n`);
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(raw).toContain('invalid_request');
  });

  test('forty pipelined on one connection all get responses, and add no listeners to it', async () => {
    let most = 0;
    const look = (message: unknown): void => {
      const { socket } = message as { socket: Socket };
      most = Math.max(most, socket.listenerCount('close'));
    };
    subscribe('http.server.request.start', look);
    const one = (last: boolean): string =>
      `${head(`Content-Length: 2${last ? '\r\nConnection: close' : ''}`)}{}`;
    const raw = await sendRaw(gateway.port, Array.from({ length: 40 }, (_, at) => one(at === 39)).join(''));
    unsubscribe('http.server.request.start', look);
    expect(raw.match(/HTTP\/1\.1 200/g)).toHaveLength(40);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(10);
  });

  test('a client that disconnects during the body occupies nothing', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const received = nextRequest(socket);
    socket.write(head('Content-Length: 100'));
    const { response } = await received;
    socket.destroy();
    await once(response, 'close');
    expect((await post('{}')).status).toBe(200);
    expect(gateway.upstream.calls).toHaveLength(1);
  });
});

describe('a client that disconnects', () => {
  test('does not cancel its write, and the response is stored for its retry', async () => {
    let finish = (): void => undefined;
    gateway.upstream.respond = async (_, response) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      json(response, 201, { data: { id: 'written' } });
    };
    const idempotency = { 'idempotency-key': 'hung-up' };
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const received = nextRequest(socket);
    socket.write(`${head('Content-Length: 2\r\nIdempotency-Key: hung-up')}{}`);
    await eventually(() => expect(gateway.upstream.calls).toHaveLength(1));
    const { socket: connection } = await received;
    socket.destroy();
    await once(connection, 'end');
    finish();
    await eventually(async () => {
      const retry = await post('{}', idempotency);
      expect([retry.status, retry.headers['idempotent-replayed']]).toEqual([201, 'true']);
    });
    expect(gateway.upstream.calls).toHaveLength(1);
  });
});
