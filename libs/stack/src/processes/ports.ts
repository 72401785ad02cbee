import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below where Linux, macOS and Kubernetes take ports by themselves: outgoing connections never get in the way. */
const range = { from: 20_000, to: 30_000 };
const attempts = 100;

/**
 * Takes the UDP port of the same number for as long as this process lives: no program here uses UDP in this range, and the
 * kernel gives it back however the process ends. False where another process, or this one, has it.
 */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref();
  return new Promise((resolve) => {
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

/**
 * A port of 127.0.0.1 without a listener, which no other call returns while this process lives:
 * test runs and stacks side by side, which start hundreds of processes, never pick the same one.
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
