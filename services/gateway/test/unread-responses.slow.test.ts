import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
import { startGateway, type TestGateway } from './gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const refused = 'GET /v1/orgs HTTP/1.1\r\nHost: x\r\n\r\n';
/** Their responses are smaller than the buffer at which Node stops reading the connection. */
const perTurn = 10;

/** Fills the way to a client that reads nothing, until responses stay in the gateway. */
async function blockResponses(socket: Socket): Promise<void> {
  let finished = 0;
  const count = (): number => (finished += 1);
  subscribe('http.server.response.finish', count);
  for (let sent = perTurn, moved = true; moved; sent += perTurn) {
    socket.write(refused.repeat(perTurn));
    moved = false;
    for (const deadline = Date.now() + 2_000; !moved && Date.now() < deadline;) {
      await sleep(1);
      moved = finished >= sent;
    }
  }
  unsubscribe('http.server.response.finish', count);
}

/** Returns when the gateway has received all it wants. */
async function untilStill(socket: Socket): Promise<void> {
  let stillSince = Date.now();
  for (let before = -1; Date.now() - stillSince < 1_000; await sleep(20)) {
    const { writableLength } = socket;
    if (writableLength !== before) stillSince = Date.now();
    before = writableLength;
  }
}

function heldBytes(): number {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

describe('a client without a key that reads no responses', () => {
  test.each([
    ['public listener', 'POST'],
    ['public listener', 'OPTIONS'],
    ['operator listener', 'POST'],
    ['operator listener', 'OPTIONS'],
  ])(
    '%s: holds no memory by the bodies of %s requests',
    async (listener, method) => {
      const port = listener === 'public listener' ? gateway.port : gateway.operatorPort;
      const socket = connect(port, '127.0.0.1').pause();
      socket.on('error', () => undefined);
      await blockResponses(socket);
      const head = Buffer.from(`${method} /v1/orgs HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
      const body = Buffer.alloc(1_000_000, ' ');
      const before = heldBytes();
      for (let at = 0; at < 64; at += 1) {
        socket.write(head);
        socket.write(body);
      }
      await untilStill(socket);
      // On a busy machine the last bodies are dropped later.
      await eventually(() => expect(heldBytes() - before).toBeLessThan(5_000_000));
      socket.destroy();
    },
    60_000,
  );
});
