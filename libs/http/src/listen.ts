import { createServer } from 'node:http';
import type { RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type ListenOptions = {
  /** 0 picks a free port. */
  port: number;
  host?: string;
  /** After its abort every response has `Connection: close`, so that clients disconnect before the port closes. */
  signal?: AbortSignal;
  /** How long requests in flight may take after `close` was called; default 5 s. */
  closeTimeoutMs?: number;
  /** Overrides of parser limits and timeouts. */
  serverOptions?: ServerOptions;
  /** Ends a connection after its requests; default: the response that is being sent is its last one. */
  drainConnection?: (socket: Socket) => void;
};

export type Listening = { port: number; server: Server; close(): Promise<void> };

const serverDefaults = {
  /** Longer than the idle timeout of any client, so that the client closes idle connections. */
  keepAliveTimeout: 65_000,
  /** Node's default aborts a request after five minutes, but an import may stream longer. */
  requestTimeout: 0,
  /** Set because `requestTimeout: 0` would remove the deadline of heads too. */
  headersTimeout: 60_000,
  /** The limit of the edge for client headers, in addition to the caller header. */
  maxHeaderSize: 32 * 1_024,
  /** Counts only bytes: an unread body in 1-byte chunks takes about 500 times as much memory. */
  highWaterMark: 16 * 1_024,
};
const sweepMs = 25;

/** Serves an app. On close it accepts no connections, closes idle ones and waits for responses in flight. */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listening> {
  const { port, host = '127.0.0.1', signal, closeTimeoutMs = 5_000, serverOptions } = options;
  const { drainConnection = closeAfterCurrentResponse } = options;
  const server = createServer({ ...serverDefaults, ...serverOptions });
  const drain = trackDrain(server, drainConnection);
  server.on('request', app);
  signal?.addEventListener('abort', drain, { once: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    drain();
    closed ??= closeServer(server, closeTimeoutMs);
    return closed;
  };
  return { port: (server.address() as AddressInfo).port, server, close };
}

/** `_httpMessage` is Node's current response of a connection; null between requests. */
type SocketWithResponse = Socket & { _httpMessage?: ServerResponse | null };

/**
 * Returns a function that starts draining: every response that has not started gets `Connection: close`. It tracks
 * connections instead of responses, because a Set of all responses would cost more garbage collection than the rest of a
 * request.
 */
function trackDrain(server: Server, drainConnection: (socket: Socket) => void): () => void {
  const sockets = new Set<Socket>();
  let draining = false;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (draining) drainConnection(socket);
  });
  server.on('request', (_request, response) => {
    if (draining) closeAfterResponse(response);
  });
  return () => {
    draining = true;
    for (const socket of sockets) drainConnection(socket);
  };
}

function closeAfterCurrentResponse({ _httpMessage: response }: SocketWithResponse): void {
  if (response) closeAfterResponse(response);
}

function closeAfterResponse(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  // A connection whose response started before the drain becomes idle later. `close()` checks only once.
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  const force = setTimeout(() => server.closeAllConnections(), timeoutMs);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
  } finally {
    clearInterval(sweep);
    clearTimeout(force);
  }
}
