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

/** A port nobody listens on at this moment; whoever uses it must be ready to lose the race and ask again. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = await listenOnce(0, host);
  if (port === undefined) throw new Error(`no free TCP port on ${host}`);
  return port;
}

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listenOnce(port, host)) !== undefined;
}
