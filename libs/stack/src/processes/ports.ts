import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

async function listenOnce(port: number, host: string): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}

/** Below where Linux, macOS and Kubernetes take ports by themselves: outgoing connections never get in the way. */
const range = { from: 20_000, to: 30_000 };
const attempts = 100;

/** A port nobody listens on at this moment; whoever uses it must be ready to lose the race and ask again. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = await listenOnce(randomInt(range.from, range.to), host);
    if (port !== undefined) return port;
  }
  throw new Error(`no free TCP port on ${host} from ${range.from} to ${range.to}`);
}

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}
