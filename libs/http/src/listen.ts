import { createServer } from 'node:http';
import type { RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type ListenOptions = {
  /** 0 picks a free port. */
  port: number;
  host?: string;
  /** From its abort on every answer carries `Connection: close`, so that clients leave before the port closes. */
  signal?: AbortSignal;
  /** How long requests in flight may take after `close` was called; default 5 s. */
  closeTimeoutMs?: number;
  /** Limits of the HTTP parser and its timeouts, where Node's defaults do not do. */
  serverOptions?: ServerOptions;
  /** Ends a connection after its requests; default: the response that is being sent is its last one. */
  drainConnection?: (socket: Socket) => void;
};

export type Listening = { port: number; server: Server; close(): Promise<void> };

const patience = {
  /** Longer than any client's idle timeout, so that it is the client that gives an idle connection up. */
  keepAliveTimeout: 65_000,
  /** Node would cut a request that takes over five minutes to arrive; an import streams for as long as it is long. */
  requestTimeout: 0,
  /** Without it the line above would take away the deadline of heads too. */
  headersTimeout: 60_000,
  /** What the edge takes of a client, and beside it who calls. */
  maxHeaderSize: 32 * 1_024,
  /** Counts bytes alone: a body in 1-byte chunks takes about 500 times as much until it is read. */
  highWaterMark: 16 * 1_024,
};
const sweepMs = 25;

/** Serves an app and knows how to stop: no new connections, idle ones closed, the rest gets its answer. */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listening> {
  const { port, host = '127.0.0.1', signal, closeTimeoutMs = 5_000, serverOptions } = options;
  const { drainConnection = makeCurrentLast } = options;
  const server = createServer({ ...patience, ...serverOptions });
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

/** What Node keeps of the answer that a connection is at; null between requests. */
type Answering = Socket & { _httpMessage?: ServerResponse | null };

/**
 * Returns the switch that makes all answers not yet begun, and all later ones, the last of their connection. It
 * keeps connections, not answers: a Set through which every answer went would cost the garbage collector more than
 * all the rest of a request.
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
    if (draining) makeLast(response);
  });
  return () => {
    draining = true;
    for (const socket of sockets) drainConnection(socket);
  };
}

function makeCurrentLast({ _httpMessage: response }: Answering): void {
  if (response) makeLast(response);
}

function makeLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  // A connection whose answer had begun before the drain turns idle later; close() looks only once.
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
