import { retryIfStalled } from '@bv/testkit';
import { expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { closeAfterAll } from './harness.ts';
import { createSender } from './sender.ts';

/**
 * A receiver that does not accept connections until `resume`: its thread is blocked and its queue is full. The kernel
 * drops the first packet of each further connection and sends it again after a second.
 */
const receiverScript = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((_request, response) => response.writeHead(204).end());
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });`;

type SlowReceiver = { port: number; resume(): void; close(): Promise<void> };

async function startSlowReceiver(): Promise<SlowReceiver> {
  const blocker = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(receiverScript, { eval: true, workerData: blocker });
  const queued: Socket[] = [];
  const resume = (): void => {
    Atomics.store(blocker, 0, 1);
    Atomics.notify(blocker, 0);
  };
  const close = async (): Promise<void> => {
    for (const socket of queued) socket.destroy();
    resume();
    await worker.terminate();
  };
  const receiver = closeAfterAll({ port: 0, resume, close });
  receiver.port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  for (let full = false; !full;) {
    const socket = connect(receiver.port, '127.0.0.1').on('error', () => undefined);
    queued.push(socket);
    full = !(await connectsSoon(socket));
  }
  return receiver;
}

function connectsSoon(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => setImmediate(() => resolve(!socket.connecting)), 500);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

const attempt = (port: number, addresses: string[], connectTimeoutMs: number) => {
  const sender = createSender({
    resolveHost: () => Promise.resolve(addresses),
    allow: ['127.0.0.0/8'],
    allowHttp: true,
    connectTimeoutMs,
  });
  return sender.attempt(`http://two.example.com:${port}/`).finally(sender.close);
};

test('a distant receiver is reached when its name also has an unreachable address', async () => {
  const once = async (): Promise<void> => {
    const receiver = await startSlowReceiver();
    // Later than the default deadline of Node for one address, and before the kernel sends again after a second.
    setTimeout(() => receiver.resume(), 700);
    // Nothing listens on the second address: it refuses at once, like an address family without a route.
    const result = await attempt(receiver.port, ['127.0.0.1', '127.0.0.2'], 10_000);
    expect(result).toMatchObject({ ok: true, statusCode: 204, error: null });
  };
  await retryIfStalled(once, { stallMs: 200 });
});

test('an address that never responds leaves time for the next one', async () => {
  const { port } = await startSlowReceiver();
  const good = createServer((_request, response) => response.writeHead(202).end());
  closeAfterAll({ close: () => new Promise<void>((resolve) => good.close(() => resolve())) });
  await new Promise<void>((resolve) => {
    good.listen({ port, host: '127.0.0.2' }, resolve);
  });
  const result = await attempt(port, ['127.0.0.1', '127.0.0.2'], 4_000);
  expect(result).toMatchObject({ ok: true, statusCode: 202 });
});
