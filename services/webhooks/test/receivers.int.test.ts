import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Socket } from 'node:net';
import { testWebhookEndpoint, type Delivery } from '@bv/contract';
import { type Receiver, startReceiver } from '@bv/testkit';
import {
  activeEndpoint,
  closeAfterAll,
  makeDue,
  waitForDelivery,
  waitForStatus,
  waitUntilPostponed,
  publishScan,
} from './harness.ts';
import { type RawReceiver, startMisbehavingReceiver } from './receivers.ts';
import { startWebhooks, type Webhooks } from './start-webhooks.ts';

// Long enough for a responding receiver on a slow machine.
const totalTimeoutMs = 2_000;
let webhooks: Webhooks;
let canary: Receiver;
beforeAll(async () => {
  [webhooks, canary] = await Promise.all([
    startWebhooks({
      WEBHOOKS_SCHEDULE_MS: '0,60000,60000',
      WEBHOOKS_TOTAL_TIMEOUT_MS: String(totalTimeoutMs),
      WEBHOOKS_JITTER_PERCENT: '0',
    }),
    startReceiver(),
  ]);
});
afterAll(async () => {
  await Promise.all([webhooks.stop(), canary.close()]);
});

const rawResponse = (status: string, headers = '', body = ''): string =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`;

/** Returns the delivery after its first attempt at a receiver that handles events with `onEvent`. */
async function attemptAt(
  onEvent: (socket: Socket) => void,
): Promise<{ delivery: Delivery; receiver: RawReceiver }> {
  const receiver = closeAfterAll(await startMisbehavingReceiver(onEvent));
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await publishScan(webhooks, { orgId: endpoint.orgId });
  const delivery = await waitForDelivery(
    webhooks,
    endpoint,
    ({ attempts, status }) => attempts === 1 && status !== 'delivering',
  );
  await receiver.close();
  return { delivery, receiver };
}

/** The delay before the next attempt in milliseconds. */
const delayBeforeNext = (delivery: Delivery): number =>
  Date.parse(delivery.next_attempt_at!) - Date.parse(delivery.updated_at);

function drip(socket: Socket, head: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write('x'), 20);
  socket.on('close', () => clearInterval(timer));
}

const endless = (status: string) => (socket: Socket) => {
  socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 999999999\r\n\r\n`);
  const flood = (): void => {
    while (!socket.destroyed && socket.write('x'.repeat(65_536)));
  };
  socket.on('drain', flood);
  flood();
};

describe('one attempt', () => {
  test.each([
    ['500', (socket: Socket) => socket.end(rawResponse('500 Oops', '', 'sorry')), 'http_status', 500],
    ['404', (socket: Socket) => socket.end(rawResponse('404 Not Found')), 'http_status', 404],
    ['304', (socket: Socket) => socket.end('HTTP/1.1 304 Not Modified\r\n\r\n'), 'http_status', 304],
    ['silence', () => undefined, 'timeout', null],
    ['half a status line', (socket: Socket) => socket.write('HTTP/1.1 2'), 'timeout', null],
    ['dripped headers', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-slow: '), 'timeout', null],
    [
      'a dripped body',
      (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n'),
      'timeout',
      200,
    ],
    ['an endless body', endless('200 OK'), 'response_too_large', 200],
    [
      'endless headers',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}`),
      'response_too_large',
      null,
    ],
    ['an endless error', endless('500 Oops'), 'http_status', 500],
    ['a reset', (socket: Socket) => socket.resetAndDestroy(), 'connect_failed', null],
    ['no response', (socket: Socket) => socket.end(), 'connect_failed', null],
    ['not HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'connect_failed', null],
    [
      'a cut body',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'),
      'connect_failed',
      200,
    ],
  ])('an attempt fails with %s', async (_name, onEvent, error, status) => {
    const { delivery, receiver } = await attemptAt(onEvent);
    expect(delivery).toMatchObject({ status: 'pending', last_error: error, last_status_code: status });
    expect(delivery.last_duration_ms).toBeLessThan(totalTimeoutMs + 3_000);
    expect(JSON.stringify(delivery)).not.toMatch(/ECONN|UND_ERR|socket|SSH/);
    expect(receiver.connections).toBe(2);
  });

  test.each(['200 OK', '202 Accepted', '299 Odd'])('an attempt succeeds with %s', async (status) => {
    const { delivery } = await attemptAt((socket) => socket.end(rawResponse(status, '', 'x'.repeat(16_384))));
    expect(delivery).toMatchObject({ status: 'succeeded', last_error: null, next_attempt_at: null });
    expect(delivery.last_response_snippet).toHaveLength(1024);
  });

  test.each(['301 Moved', '302 Found', '307 Temporary Redirect', '308 Permanent Redirect'])(
    'an attempt fails with %s, and the redirect is not followed',
    async (status) => {
      const { delivery } = await attemptAt((socket) =>
        socket.end(rawResponse(status, `location: ${canary.url}/\r\n`)),
      );
      expect(delivery).toMatchObject({ status: 'pending', last_error: 'http_status' });
      expect(canary.requests).toEqual([]);
    },
  );

  test('the final response counts after interim ones', async () => {
    const { delivery } = await attemptAt((socket) =>
      socket.end(
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${rawResponse('200 OK')}`,
      ),
    );
    expect(delivery).toMatchObject({ status: 'succeeded', last_status_code: 200, last_error: null });
  });

  test('one-byte chunks result in the same snippet as one chunk', async () => {
    const { delivery } = await attemptAt((socket) => {
      const body = '1\r\nx\r\n'.repeat(16_384);
      socket.end(`HTTP/1.1 500 Oops\r\ntransfer-encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
    });
    expect(delivery).toMatchObject({ last_error: 'http_status', last_response_snippet: 'x'.repeat(1024) });
  });

  test('control characters do not reach the stored snippet', async () => {
    const controls = '\u0000\u001b[31m\u0007\u007f\u009b2J\u0085\u202e\u2066\u200f\u2028\u2029\r';
    const { delivery } = await attemptAt((socket) =>
      socket.end(`HTTP/1.1 500 Oops\r\n\r\na${controls}b\té\n😀`),
    );
    expect(delivery.last_response_snippet).toBe('a[31m2Jb\té\n😀');
  });

  test('a refused connection fails', async () => {
    const receiver = closeAfterAll(await startMisbehavingReceiver(() => undefined));
    const endpoint = await activeEndpoint(webhooks, receiver.url);
    await receiver.close();
    await publishScan(webhooks, { orgId: endpoint.orgId });
    const delivery = await waitForDelivery(
      webhooks,
      endpoint,
      ({ attempts, status }) => attempts === 1 && status === 'pending',
    );
    expect(delivery).toMatchObject({ last_error: 'connect_failed', last_status_code: null });
  });

  test('Retry-After applies when it is longer than the schedule', async () => {
    const { delivery } = await attemptAt((socket) =>
      socket.end(rawResponse('429 Slow Down', 'retry-after: 600\r\n')),
    );
    expect(delayBeforeNext(delivery)).toBe(600_000);
    const { delivery: sooner } = await attemptAt((socket) =>
      socket.end(rawResponse('503 Busy', 'retry-after: 1\r\n')),
    );
    expect(delayBeforeNext(sooner)).toBe(60_000);
  });

  test.each([
    ['asctime', 'Thu Jan  1 00:00:00 2099', 86_400_000],
    ['RFC 850', 'Sunday, 06-Nov-94 08:49:37 GMT', 60_000],
    ['nonsense', 'soon', 60_000],
  ])(
    'Retry-After, %s: never less than the schedule, never more than a day',
    async (_name, header, waitMs) => {
      const { delivery } = await attemptAt((socket) =>
        socket.end(rawResponse('503 Busy', `retry-after: ${header}\r\n`)),
      );
      expect(delayBeforeNext(delivery)).toBe(waitMs);
    },
  );

  test('the receiver gets Standard Webhooks headers and no internal ones', async () => {
    const receiver = closeAfterAll(await startReceiver());
    const endpoint = await activeEndpoint(webhooks, `${receiver.url}/hook?x=1`);
    await publishScan(webhooks, { orgId: endpoint.orgId });
    const { headers, method, path } = await receiver.waitFor(({ body }) => body.includes('scan.completed'));
    expect([method, path]).toEqual(['POST', '/hook?x=1']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'BrandVisibility-Webhooks/1.0',
      host: `127.0.0.1:${receiver.port}`,
    });
    expect(headers['cookie'] ?? headers['authorization'] ?? headers['x-bv-caller']).toBeUndefined();
    await receiver.close();
  });
});

test('a delivery whose link is revoked before a retry is dead without an error', async () => {
  const receiver = closeAfterAll(
    await startMisbehavingReceiver((socket) => socket.end(rawResponse('500 Oops', '', 'sorry'))),
  );
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await publishScan(webhooks, { orgId: endpoint.orgId });
  const failed = await waitForDelivery(
    webhooks,
    endpoint,
    ({ status, attempts }) => status === 'pending' && attempts === 1,
  );
  expect(failed).toMatchObject({ last_error: 'http_status', last_status_code: 500 });
  await webhooks.setLink(endpoint.partnerId, endpoint.orgId, false);
  await makeDue(webhooks, endpoint);
  const dead = await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'dead');
  expect(dead).toMatchObject({
    attempts: 1,
    last_error: null,
    last_status_code: null,
    next_attempt_at: null,
  });
  expect(dead).toMatchObject({ last_response_snippet: null, last_duration_ms: null });
});

test('410: the delivery is dead and the endpoint failing; events wait for a successful ping', async () => {
  let gone = true;
  const receiver = closeAfterAll(
    await startReceiver(({ body }) => (gone && !body.includes('endpoint.ping') ? 410 : 200)),
  );
  const endpoint = await activeEndpoint(webhooks, receiver.url);
  await publishScan(webhooks, { orgId: endpoint.orgId });
  await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'dead');
  await waitForStatus(webhooks, endpoint, 'failing');
  const scan = await publishScan(webhooks, { orgId: endpoint.orgId });
  const waiting = await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'pending');
  gone = false;
  await waitUntilPostponed(webhooks, endpoint);
  expect(receiver.requests.some(({ body }) => body.includes(scan.job_id))).toBe(false);
  await webhooks.as(endpoint.partnerId, testWebhookEndpoint, { params: { endpointId: endpoint.id } });
  await waitForStatus(webhooks, endpoint, 'active');
  const drained = await waitForDelivery(webhooks, endpoint, ({ status }) => status === 'succeeded');
  expect(drained).toMatchObject({ id: waiting.id, attempts: 1 });
  await receiver.close();
});
