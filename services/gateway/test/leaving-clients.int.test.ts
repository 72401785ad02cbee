import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { nextRequest } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ env: { REDIS_TIMEOUT_MS: '5000' } });
});
afterAll(() => gateway.stop());

async function leave(bytes: string): Promise<void> {
  const socket: Socket = connect(gateway.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const received = nextRequest(socket);
  socket.write(bytes);
  const { response } = await received;
  socket.destroy();
  await once(response, 'close');
}

test('clients that disconnect during a body occupy nothing: the next write succeeds', async () => {
  const { orgId, key } = await gateway.customer();
  const path = `/v1/orgs/${orgId}/prompts/${orgId}`;
  const head = `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: left\r\n`;
  const slow = `${head}Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"tags":["`;
  await Promise.all(Array.from({ length: 200 }, () => leave(slow)));
  const body = { active: true };
  const headers = { 'idempotency-key': 'left' };
  const response = await gateway.call({ method: 'PATCH', path, key, body, headers });
  expect([response.status, response.headers['idempotent-replayed']]).toEqual([200, undefined]);
});

test('invented headers of a client reach no service and are not returned', async () => {
  const { orgId, key } = await gateway.customer();
  const made = {
    'x-bv-caller': 'forged',
    'x-bv-published': 'forged',
    'x-request-id': 'forged',
    'x-ratelimit-limit': 'forged',
    cookie: 'forged',
    'x-forwarded-host': 'forged',
    connection: 'close, authorization',
  };
  const response = await gateway.call({ path: `/v1/orgs/${orgId}`, key, headers: made });
  expect(response.status).toBe(200);
  expect(response.text + JSON.stringify(response.headers)).not.toContain('forged');
  expect(JSON.stringify(gateway.upstream.calls.at(-1)?.headers)).not.toContain('forged');
});
