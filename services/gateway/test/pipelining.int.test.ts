import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import { sendRaw } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { json } from './upstream.ts';

let gateway: TestGateway;
let customer: Awaited<ReturnType<TestGateway['customer']>>;
beforeAll(async () => {
  gateway = await startGateway({ env: { REDIS_TIMEOUT_MS: '5000', BODY_TIMEOUT_MS: '800' } });
  customer = await gateway.customer();
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

const buildHead = (method: string, more: string) =>
  `${method} /v1/orgs/${customer.orgId}/prompts${method === 'PATCH' ? `/${customer.orgId}` : ''} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${customer.key}\r\n${more}\r\n`;
const patch = (name: string, more = ''): string => {
  const body = JSON.stringify({ tags: [name] });
  return `${buildHead('PATCH', `${more}Content-Length: ${body.length}\r\n`)}${body}`;
};
const get = (more = ''): string => buildHead('GET', more);
const getStatuses = (raw: string) =>
  [...raw.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

describe('invalid bytes behind a request do not affect it', () => {
  /** Sends a write and further bytes behind it, `pauseMs` later. Returns all responses. */
  async function sendPatch(more: string, tail: string, pauseMs = 0): Promise<string> {
    const socket = connect(gateway.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    if (pauseMs === 0) socket.write(patch('whole', more) + tail);
    else {
      socket.write(patch('whole', more));
      setTimeout(() => socket.write(tail), pauseMs);
    }
    await closed;
    return received;
  }

  test.each([
    ['a byte', '\x01', ''],
    ['a megabyte', 'x'.repeat(1_000_000), ''],
    ['a request behind Connection: close', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'Connection: close\r\n'],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', ''],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ''],
    ['headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, ''],
  ])(
    '%s behind a complete write: it is done once, and its response closes the connection',
    async (_name, tail, more) => {
      const together = await sendPatch(more, tail);
      expect(getStatuses(together)).toEqual([200]);
      expect(together).toMatch(/^connection: close\r$/im);
      expect(gateway.upstream.calls).toHaveLength(1);
      gateway.upstream.reset();
      // Bytes that arrive after the response get their own refusal.
      const apart = await sendPatch(more, tail, 3);
      expect(getStatuses(apart)[0]).toBe(200);
      expect(gateway.upstream.calls).toHaveLength(1);
    },
  );

  test('an invalid request behind a complete one is refused after it', async () => {
    const raw = await sendRaw(
      gateway.port,
      `${get()}${buildHead('PATCH', 'Transfer-Encoding: chunked\r\n')}zz\r\n`,
    );
    expect(getStatuses(raw)).toEqual([200, 400]);
    expect(gateway.upstream.calls).toHaveLength(1);
  });

  test('a body that does not arrive does not affect the response of the earlier request', async () => {
    gateway.upstream.respond = async (_, response) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      json(response, 200, { data: [] });
    };
    const raw = await sendRaw(gateway.port, `${get()}${buildHead('GET', 'Content-Length: 5\r\n')}`);
    expect(getStatuses(raw)[0]).toBe(200);
  });

  test('a client that has closed its sending side gets its responses', async () => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    const closed = new Promise((resolve) => socket.once('end', resolve));
    socket.end(get() + patch('half'));
    await closed;
    socket.destroy();
    expect(getStatuses(received)).toEqual([200, 200]);
    expect(gateway.upstream.calls).toHaveLength(2);
  });

  test('HTTP/1.0 with Transfer-Encoding is the last request of its connection', async () => {
    const first = buildHead('PATCH', 'Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n');
    const raw = await sendRaw(
      gateway.port,
      `${first.replace('HTTP/1.1', 'HTTP/1.0')}2\r\n{}\r\n0\r\n\r\n${patch('behind')}`,
    );
    expect(getStatuses(raw)).toEqual([200]);
    expect(raw).toMatch(/^connection: close\r$/im);
    expect(gateway.upstream.calls).toHaveLength(1);
  });
});

describe('requests of one connection', () => {
  test('unsafe ones run alone and in order, safe ones at the same time', async () => {
    let running = 0;
    const log: string[] = [];
    gateway.upstream.respond = async ({ method, body }, response) => {
      running += 1;
      log.push(`${method} ${body} ${running}`);
      // The earlier a request, the longer it takes.
      await new Promise((resolve) => setTimeout(resolve, 80 - 10 * log.length));
      running -= 1;
      json(response, 200, { data: {} });
    };
    const raw = await sendRaw(
      gateway.port,
      patch('1') + patch('2') + get() + get() + patch('3', 'Connection: close\r\n'),
    );
    expect(getStatuses(raw)).toEqual([200, 200, 200, 200, 200]);
    expect(log.map((line) => line.replace(/ \d$/, ''))).toEqual([
      'PATCH {"tags":["1"]}',
      'PATCH {"tags":["2"]}',
      'GET ',
      'GET ',
      'PATCH {"tags":["3"]}',
    ]);
    expect(log.filter((line) => line.startsWith('PATCH')).every((line) => line.endsWith(' 1'))).toBe(true);
  });

  test('wait in the socket while a write in front runs, however many they are', async () => {
    let finish = (): void => undefined;
    gateway.upstream.respond = async ({ method }, response) => {
      if (method === 'PATCH') await new Promise<void>((resolve) => (finish = resolve));
      json(response, 200, { data: {} });
    };
    const count = 10_000;
    let parsed = 0;
    const look = (): number => (parsed += 1);
    subscribe('http.server.request.start', look);
    const socket = connect(gateway.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(patch('slow') + get().repeat(count) + get('Connection: close\r\n'));
    await eventually(() => expect(gateway.upstream.calls).toHaveLength(1));
    // The gateway reads until its queue is full, and has time to read more while it serves another connection.
    await eventually(() => expect(parsed).toBeGreaterThan(64));
    await sendRaw(gateway.port, get().repeat(100) + get('Connection: close\r\n'));
    const parsedInFront = parsed;
    finish();
    await closed;
    unsubscribe('http.server.request.start', look);
    expect(parsedInFront).toBeLessThan(count / 5);
    expect(getStatuses(received)).toHaveLength(count + 2);
  }, 60_000);

  test('a waiting write is not started after its client has disconnected', async () => {
    let finish = (): void => undefined;
    gateway.upstream.respond = async (_, response) => {
      await new Promise<void>((resolve) => (finish = resolve));
      json(response, 200, { data: {} });
    };
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(patch('first') + patch('second'));
    await eventually(() => expect(gateway.upstream.calls).toHaveLength(1));
    socket.resetAndDestroy();
    finish();
    gateway.upstream.respond = (_, response) => json(response, 200, { data: {} });
    expect(getStatuses(await sendRaw(gateway.port, patch('other', 'Connection: close\r\n')))).toEqual([200]);
    expect(gateway.upstream.calls.map(({ body }) => body)).toEqual([
      '{"tags":["first"]}',
      '{"tags":["other"]}',
    ]);
  });
});

describe('a request with a body that waits', () => {
  const large = JSON.stringify({ tags: ['x'.repeat(500_000)] });
  const largePatch = (more = '') =>
    `${buildHead('PATCH', `${more}Content-Length: ${large.length}\r\n`)}${large}`;
  /** The deadline of a body, 0.8 s, is over before the next request starts. */
  const slow = async (body: string): Promise<void> => {
    if (body === '{"tags":["slow"]}') await new Promise((resolve) => setTimeout(resolve, 1_000));
  };
  beforeEach(() => {
    gateway.upstream.respond = async ({ body }, response) => {
      await slow(body);
      json(response, 200, { data: {} });
    };
  });

  test('is received when it starts, and its deadline starts then', async () => {
    const bytes = `${patch('slow')}${largePatch()}${largePatch('Expect: 100-continue\r\n')}${get('Connection: close\r\n')}`;
    const raw = await sendRaw(gateway.port, bytes);
    expect(getStatuses(raw)).toEqual([200, 200, 100, 200, 200]);
    expect(gateway.upstream.calls.map(({ body }) => body.length)).toEqual([
      17,
      large.length,
      large.length,
      0,
    ]);
  });

  test('is received when it starts from a client that has closed its sending side', async () => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    const ended = new Promise((resolve) => socket.once('end', resolve));
    socket.end(patch('slow') + largePatch() + largePatch());
    await ended;
    socket.destroy();
    expect(getStatuses(received)).toEqual([200, 200, 200]);
  });
});

describe('a gateway that stops', () => {
  /** Sends the bytes, stops the gateway once `calls` requests have reached the service, then lets those finish. */
  async function stopWhile(calls: number, bytes: (head: typeof buildHead) => string): Promise<string> {
    const stopping = await startGateway({ env: { REDIS_TIMEOUT_MS: '5000' } });
    const own = await stopping.customer();
    const finish: (() => void)[] = [];
    stopping.upstream.respond = async (_, response) => {
      await new Promise<void>((resolve) => finish.push(resolve));
      json(response, 200, { data: {} });
    };
    const head = (method: string, more: string): string =>
      buildHead(method, more).replaceAll(customer.orgId, own.orgId).replace(customer.key, own.key);
    const arrived = async (count: number) =>
      eventually(() => expect(stopping.upstream.calls).toHaveLength(count));
    // Keeps the gateway from stopping, so that a request that it starts wrongly reaches the service.
    const other = sendRaw(stopping.port, head('GET', ''));
    await arrived(1);
    const raw = sendRaw(stopping.port, bytes(head));
    await arrived(calls + 1);
    const stopped = stopping.stop();
    const [finishOther, ...finishOwn] = finish;
    for (const each of finishOwn) each();
    await raw;
    // A request that was started wrongly would have reached the service by the end of as many statements.
    for (let query = 0; query < 50; query += 1) await stopping.sql.query('select 1');
    finishOther?.();
    await Promise.all([other, stopped]);
    expect(stopping.upstream.calls).toHaveLength(calls + 1);
    return raw;
  }

  test('starts no write that waits: the response in front of it says that the connection closes', async () => {
    const write = (head: typeof buildHead): string => `${head('PATCH', 'Content-Length: 2\r\n')}{}`;
    const raw = await stopWhile(1, (head) => write(head).repeat(3));
    expect(getStatuses(raw)).toEqual([200]);
    expect(raw).toMatch(/^connection: close\r$/im);
  });

  test('responds to every read that has started', async () => {
    const raw = await stopWhile(3, (head) => head('GET', '').repeat(3));
    expect(getStatuses(raw)).toEqual([200, 200, 200]);
    expect([...raw.matchAll(/^connection: (.*)\r$/gim)].map(([, value]) => value)).toEqual([
      'keep-alive',
      'keep-alive',
      'close',
    ]);
  });
});
