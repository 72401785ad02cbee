import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ephemeral ranges of Linux, macOS and Kubernetes, so that outgoing connections never occupy these ports. */
const range = { from: 20_000, to: 30_000 };
const attempts = 100;

/**
 * Reserves a TCP port by binding the UDP port of the same number. No program here uses UDP in this range, and the
 * kernel releases the port however the process ends. Returns false if a process has reserved it already.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  return new Promise((resolve) => {
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

/**
 * Returns a free port of 127.0.0.1. No other call returns it while this process runs, so that concurrent test runs and
 * stacks never pick the same port.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(range.from, range.to);
    if ((await reserve(port)) && (await isPortFree(port))) return port;
  }
  throw new Error(`no free TCP port from ${range.from} to ${range.to}`);
}

export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
