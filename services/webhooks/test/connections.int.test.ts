import { describe, expect, test } from '@jest/globals';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { eventually, retryIfStalled } from '@bv/testkit';
import { createCertificate } from './certificate.ts';
import { closeAfterAll } from './harness.ts';
import { type RawReceiver, startRawReceiver } from './receivers.ts';
import { createSender, type Sender, type SenderOptions } from './sender.ts';

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
/** Number of a request, from 1: on its connection, and of all. */
type Place = { onConnection: number; ofAll: number };
type Receiver = RawReceiver & { requests(): number };

/** Calls `onRequest` when a request is complete. */
async function startCounting(
  onRequest: (socket: Socket, place: Place) => void,
  listen: { host?: string; port?: number } = {},
): Promise<Receiver> {
  let ofAll = 0;
  const raw = await startRawReceiver((socket, received) => {
    if (!received.endsWith('{}')) return;
    ofAll += 1;
    onRequest(socket, { onConnection: received.split('POST ').length - 1, ofAll });
  }, listen);
  return closeAfterAll(Object.assign(raw, { requests: () => ofAll }));
}

function openSender(options: Partial<SenderOptions> = {}): Sender {
  const resolveHost = () => Promise.resolve(['127.0.0.1']);
  const sender = createSender({ resolveHost, allow: ['127.0.0.0/8'], allowHttp: true, ...options });
  closeAfterAll({ close: async () => sender.close() });
  return sender;
}

/** Less than the time after which an idle connection is closed anyway. */
const soonMs = 3_000;

const waitUntilOpen = (receiver: RawReceiver, count: number, timeoutMs = soonMs): Promise<void> =>
  eventually(() => expect(receiver.open()).toBe(count), { intervalMs: 10, timeoutMs });

describe('the address of a connection stays the checked one', () => {
  test('attempts reuse the connection and do not resolve the name', async () => {
    let resolved = 0;
    const receiver = await startCounting((socket) => socket.write(ok));
    const resolveHost = async () => ((resolved += 1), ['127.0.0.1']);
    const sender = openSender({ resolveHost });
    for (let time = 0; time < 3; time += 1) {
      const result = await sender.attempt(`http://kept.example.com:${receiver.port}/`);
      expect(result).toMatchObject({ ok: true, statusCode: 200 });
    }
    expect([resolved, receiver.connections]).toEqual([1, 1]);
    expect(sender.counts).toEqual({ opened: 1, reused: 2, resent: 0 });
  });

  test('DNS rebinding: the next connection is to a newly checked address', async () => {
    let addresses = ['127.0.0.2'];
    const canary = await startCounting((socket) => socket.write(ok));
    const { port } = canary;
    const receiver = await startCounting((socket) => socket.write(ok), { host: '127.0.0.2', port });
    const sender = openSender({
      resolveHost: async () => addresses,
      allow: ['127.0.0.2/32'],
      totalTimeoutMs: 5_000,
      connectionMs: 7_000,
    });
    const url = `http://rebind.example.com:${port}/`;
    expect((await sender.attempt(url)).error).toBeNull();
    addresses = ['127.0.0.1'];
    expect((await sender.attempt(url)).error).toBeNull();
    expect(receiver.requests()).toBe(2);
    await waitUntilOpen(receiver, 0, 30_000);
    expect((await sender.attempt(url)).error).toBe('address_not_public');
    expect([receiver.connections, canary.connections]).toEqual([1, 0]);
  });

  test('over TLS too, and another name needs its own certificate', async () => {
    const { key, cert, ca } = createCertificate('kept.example.com');
    const hosts = new Set<string | undefined>();
    let connections = 0;
    const server = createServer({ key, cert }, (request, response) => {
      hosts.add(request.headers.host);
      response.writeHead(204).end();
    });
    server.on('secureConnection', () => (connections += 1));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    closeAfterAll({ close: async () => server.close().closeAllConnections() });
    const { port } = server.address() as AddressInfo;
    const sender = openSender({ ca });
    const url = `https://kept.example.com:${port}/`;
    expect((await sender.attempt(url)).statusCode).toBe(204);
    expect((await sender.attempt(url)).statusCode).toBe(204);
    expect((await sender.attempt(`https://other.example.com:${port}/`)).error).toBe('tls_failed');
    expect([...hosts]).toEqual([`kept.example.com:${port}`]);
    expect(connections).toBe(1);
    expect(sender.counts.reused).toBe(1);
  });
});

describe('a connection is closed', () => {
  test('before an attempt on it could last longer than its maximum life', async () => {
    const receiver = await startCounting((socket) => socket.write(ok));
    const sender = openSender({ totalTimeoutMs: 15_000, connectionMs: 16_000 });
    const startedAt = performance.now();
    while (sender.counts.opened < 2) expect((await sender.attempt(receiver.url)).ok).toBe(true);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    expect(sender.counts.reused).toBeGreaterThan(1);
    await waitUntilOpen(receiver, 1);
  });
  test.each([0, 15_000])('after each attempt when its maximum life is %d', async (connectionMs) => {
    const heads: string[] = [];
    const receiver = closeAfterAll(
      await startRawReceiver((socket, head) => {
        heads.push(head);
        socket.write(ok);
      }),
    );
    const sender = openSender({ totalTimeoutMs: 15_000, connectionMs });
    await sender.attempt(receiver.url);
    await sender.attempt(receiver.url);
    expect(sender.counts).toMatchObject({ opened: 2, reused: 0 });
    expect(heads.join('').toLowerCase()).toContain('connection: close');
    await waitUntilOpen(receiver, 0);
  });
  test('after four seconds without an attempt', async () => {
    const receiver = await startCounting((socket) => socket.write(ok));
    const startedAt = performance.now();
    await openSender().attempt(receiver.url);
    expect(receiver.open()).toBe(1);
    await waitUntilOpen(receiver, 0, 30_000);
    expect(performance.now() - startedAt).toBeGreaterThan(3_900);
  });
  test('when its endpoint has another URL, also after an attempt that ends later', async () => {
    const waiting: Socket[] = [];
    const receiver = await startCounting((socket) => void waiting.push(socket));
    const sender = openSender();
    const [idle, running] = [sender.attempt(`${receiver.url}/old`), sender.attempt(`${receiver.url}/old`)];
    await eventually(() => expect(waiting).toHaveLength(2));
    waiting[0]!.write(ok);
    await Promise.race([idle, running]);
    const moved = sender.attempt(`${receiver.url}/new`);
    await eventually(() => expect(waiting).toHaveLength(3));
    await waitUntilOpen(receiver, 2);
    waiting[1]!.write(ok);
    waiting[2]!.write(ok);
    await Promise.all([idle, running, moved]);
    await waitUntilOpen(receiver, 1);
  });
  test('when the process stops', async () => {
    const receiver = await startCounting((socket) => socket.write(ok));
    const sender = openSender();
    await sender.attempt(receiver.url);
    sender.close();
    await waitUntilOpen(receiver, 0);
  });
  test.each([
    ['`Connection: close`', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'],
    ['a keep-alive of a second', 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 0\r\n\r\n'],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['204 with a length', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n'],
    ['a second response at once', ok + ok],
  ])('after a response with %s', async (_name, response) => {
    const receiver = await startCounting((socket) => socket.write(response));
    const sender = openSender();
    expect((await sender.attempt(receiver.url)).ok).toBe(true);
    await waitUntilOpen(receiver, 0);
    expect((await sender.attempt(receiver.url)).ok).toBe(true);
    expect(sender.counts).toEqual({ opened: 2, reused: 0, resent: 0 });
  });
  test('when bytes arrive between two attempts: they are no response to the second', async () => {
    const sockets: Socket[] = [];
    const receiver = await startCounting((socket, { ofAll }) => {
      sockets.push(socket);
      socket.write(ofAll === 1 ? ok : ok.replace('200 OK', '500 Oops'));
    });
    const sender = openSender();
    expect((await sender.attempt(receiver.url)).statusCode).toBe(200);
    sockets[0]!.write(ok);
    await waitUntilOpen(receiver, 0);
    expect((await sender.attempt(receiver.url)).statusCode).toBe(500);
  });
});

describe('the number of connections is bounded', () => {
  test('endpoints with the same URL do not share connections', async () => {
    const receiver = await startCounting((socket) => socket.write(ok));
    const sender = openSender();
    await sender.attempt(receiver.url, 'one');
    await sender.attempt(receiver.url, 'two');
    await sender.attempt(receiver.url, 'one');
    expect(sender.counts).toEqual({ opened: 2, reused: 1, resent: 0 });
  });
  test('the longest idle one of a process is closed when there are more than 500', async () => {
    const once = async (): Promise<void> => {
      const receiver = await startCounting((socket) => socket.write(ok));
      const sender = openSender();
      await sender.attempt(receiver.url, '0');
      const others = Array.from({ length: 500 }, (_, index) => String(index + 1));
      await Promise.all(others.map((id) => sender.attempt(receiver.url, id)));
      expect(sender.counts.opened).toBe(501);
      await waitUntilOpen(receiver, 500);
      await sender.attempt(receiver.url, '500');
      expect(sender.counts).toMatchObject({ opened: 501, reused: 1 });
      await sender.attempt(receiver.url, '0');
      expect(sender.counts.opened).toBe(502);
      sender.close();
    };
    // A stall of seconds closes idle connections.
    await retryIfStalled(once, { stallMs: 1_000 });
  });
});

describe('a reused connection that is closed before a response', () => {
  const close = (socket: Socket): void => void socket.end();
  const reset = (socket: Socket): void => void socket.resetAndDestroy();
  test.each([
    ['closed', close],
    ['reset', reset],
  ])('%s: the request is sent again on a new connection', async (_name, end) => {
    const receiver = await startCounting((socket, { ofAll }) =>
      ofAll === 2 ? end(socket) : socket.write(ok),
    );
    const sender = openSender();
    await sender.attempt(receiver.url);
    expect(await sender.attempt(receiver.url)).toMatchObject({ ok: true, statusCode: 200, error: null });
    expect([receiver.requests(), receiver.connections]).toEqual([3, 2]);
    expect(sender.counts).toEqual({ opened: 2, reused: 1, resent: 1 });
  });
  test('once: the attempt fails when the new connection is closed too', async () => {
    const receiver = await startCounting((socket, { ofAll }) =>
      ofAll === 1 ? socket.write(ok) : reset(socket),
    );
    const sender = openSender();
    await sender.attempt(receiver.url);
    expect(await sender.attempt(receiver.url)).toMatchObject({ ok: false, error: 'connect_failed' });
    expect([receiver.requests(), receiver.connections]).toEqual([3, 2]);
  });
  test('all idle ones of the endpoint are closed: the receiver has restarted', async () => {
    const first: Socket[] = [];
    const receiver = await startCounting((socket, { onConnection, ofAll }) => {
      if (ofAll <= 3) first.push(socket);
      else if (onConnection > 1) reset(socket);
      else socket.write(ok);
    });
    const sender = openSender();
    const parallel = Promise.all([1, 2, 3].map(() => sender.attempt(receiver.url)));
    await eventually(() => expect(first).toHaveLength(3));
    for (const socket of first) socket.write(ok);
    await parallel;
    expect((await sender.attempt(receiver.url)).ok).toBe(true);
    expect(sender.counts).toEqual({ opened: 4, reused: 1, resent: 1 });
    await waitUntilOpen(receiver, 1);
  });
  test.each([
    ['the first request of a connection', (socket: Socket) => reset(socket), 1, 'connect_failed'],
    [
      'a response that has begun',
      (socket: Socket, { ofAll }: Place) => void (ofAll === 1 ? socket.write(ok) : socket.end('HTTP/1.1 2')),
      2,
      'connect_failed',
    ],
    [
      'no response within the deadline',
      (socket: Socket, { ofAll }: Place) => void (ofAll === 1 && socket.write(ok)),
      2,
      'timeout',
    ],
  ])('is not sent again: %s', async (_name, onRequest, attempts, error) => {
    const receiver = await startCounting(onRequest);
    const sender = openSender({ totalTimeoutMs: 2_000 });
    for (let attempt = 1; attempt < attempts; attempt += 1) await sender.attempt(receiver.url);
    expect(await sender.attempt(receiver.url)).toMatchObject({ ok: false, error });
    expect(receiver.requests()).toBe(attempts);
    expect(sender.counts).toEqual({ opened: 1, reused: attempts - 1, resent: 0 });
  });
});
