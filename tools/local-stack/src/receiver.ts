import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as received, because signatures are computed over it. */
  body: string;
  /** Milliseconds since the epoch. */
  receivedAt: number;
};

/** Returns the status to send. A handler that returns undefined writes to `response` itself, or never responds. */
export type ReceiverHandler = (
  request: ReceivedRequest,
  response: ServerResponse,
) => number | undefined | Promise<number | undefined>;

export type Receiver = {
  url: string;
  port: number;
  /** All requests received so far, oldest first. */
  requests: ReceivedRequest[];
  /** Resolves with the first matching request, received already or later. Rejects after `timeoutMs`. */
  waitFor(matches: (request: ReceivedRequest) => boolean, timeoutMs?: number): Promise<ReceivedRequest>;
  close(): Promise<void>;
};

type Waiter = { matches: (request: ReceivedRequest) => boolean; found: (request: ReceivedRequest) => void };

/** Starts a local HTTP server that records the requests it receives, such as webhooks. */
export async function startReceiver(
  handler: ReceiverHandler = () => 204,
  { port = 0, host = '127.0.0.1' }: { port?: number; host?: string } = {},
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiters = new Set<Waiter>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('error', () => undefined);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request: ReceivedRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        receivedAt: Date.now(),
      };
      requests.push(request);
      for (const waiter of waiters) if (waiter.matches(request)) waiter.found(request);
      void respond(handler, request, response);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;

  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    requests,
    waitFor: async (matches, timeoutMs = 30_000) => {
      const received = requests.find(matches);
      if (received !== undefined) return received;
      return new Promise((resolve, reject) => {
        const waiter: Waiter = { matches, found: (request) => settle(() => resolve(request)) };
        const settle = (finish: () => void): void => {
          clearTimeout(timer);
          waiters.delete(waiter);
          finish();
        };
        const late = new Error(`no matching request within ${timeoutMs / 1000} s`);
        const timer = setTimeout(() => settle(() => reject(late)), timeoutMs);
        waiters.add(waiter);
      });
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function respond(
  handler: ReceiverHandler,
  request: ReceivedRequest,
  response: ServerResponse,
): Promise<void> {
  try {
    const status = await handler(request, response);
    if (status !== undefined) response.writeHead(status).end();
  } catch {
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}
