import { connect, type Socket } from 'node:net';
import { exampleIds } from '@bv/contract';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from './gateway.ts';
import { post, respondWithExamples, toolCall } from './mcp-client.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ env: { UPSTREAM_TIMEOUT_MS: '3000' } });
});
beforeEach(() => gateway.upstream.reset());
afterAll(() => gateway.stop());

/** Sends a message on a connection that the test closes. */
function open(key: string, message: object): Socket {
  const body = JSON.stringify(message);
  const head = [
    'POST /mcp HTTP/1.1',
    'host: a',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${body.length}`,
  ];
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

async function usedBy(key: string): Promise<number> {
  const { body } = await gateway.call<{ monthly: { used: number } }>({ path: '/v1/key', key });
  return body.data.monthly.used - 1;
}

test('a client that disconnects ends the read of its tool, and no further operation starts', async () => {
  const { orgId, key } = await gateway.customer();
  let aborted = false;
  gateway.upstream.respond = (_, response) =>
    new Promise((resolve) => {
      response.once('close', () => {
        aborted = true;
        resolve();
      });
    });
  const socket = open(key, toolCall('brand_overview', { org_id: orgId, brand_id: exampleIds.brand }));
  await eventually(() => expect(gateway.upstream.calls).toHaveLength(1));
  socket.destroy();
  await eventually(() => expect(aborted).toBe(true));
  expect(await usedBy(key)).toBe(1);
  expect(gateway.upstream.calls).toHaveLength(1);
});

test('a write completes after its client has disconnected, and a retry gets its response', async () => {
  const { orgId, key } = await gateway.customer();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  gateway.upstream.respond = async (call, response) => {
    await released;
    await respondWithExamples(call, response);
  };
  const message = toolCall('request_scan', {
    org_id: orgId,
    brand_id: exampleIds.brand,
    idempotency_key: 'scan-1',
  });
  const socket = open(key, message);
  await eventually(() => expect(gateway.upstream.calls).toHaveLength(1));
  socket.destroy();
  const inFlight = await post(gateway, message, { key });
  expect(inFlight.body.result).toMatchObject({ isError: true });
  release();
  await eventually(async () => {
    const { body } = await post(gateway, message, { key });
    expect(body.result).toMatchObject({ structuredContent: { status: 'queued' } });
  });
  expect(gateway.upstream.calls).toHaveLength(1);
});

test('a tool ends after the deadline of a request', async () => {
  const { orgId, key } = await gateway.customer();
  gateway.upstream.respond = (_, response) =>
    new Promise((resolve) => {
      response.once('close', resolve);
    });
  const startedAt = performance.now();
  const args = { org_id: orgId, brand_id: exampleIds.brand };
  const { status, body } = await post(gateway, toolCall('brand_overview', args), { key });
  expect([status, body.result?.['isError']]).toEqual([200, true]);
  expect(JSON.stringify(body.result)).toContain('api_unavailable');
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('no request is processed after a refusal of a message whose body may still come', async () => {
  const { orgId, key } = await gateway.customer();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  gateway.upstream.respond = async (call, response) => {
    await released;
    await respondWithExamples(call, response);
  };
  const socket = connect(gateway.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString()));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const read = `GET /v1/orgs/${orgId}/brands HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const refused = 'GET /mcp HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n';
  // The refusal waits for the response before it.
  socket.write(read + refused);
  await eventually(() => expect(gateway.upstream.calls).toHaveLength(1));
  socket.write(`{}${read}`);
  // A later request has its response, so the gateway has received those bytes.
  await usedBy(key);
  release();
  await closed;
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 405']);
  // Two requests of `usedBy` and the first read.
  expect(await usedBy(key)).toBe(2);
  expect(gateway.upstream.calls).toHaveLength(1);
});
