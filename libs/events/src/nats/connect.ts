import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@bv/resilience';
import type { Logger } from '@bv/telemetry';
import { connect } from '@nats-io/transport-node';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';

/** What the operator of the servers decides about the stream; what is not given stays as the stream has it. */
export type StreamLimits = { replicas?: number; maxBytes?: number };

export type Nats = {
  readonly connection: NatsConnection;
  readonly stream: StreamLimits;
  isConnected(): boolean;
  /** The server met after a reconnect may know nothing of what this connection had open. Returns the undo. */
  onReconnect(listener: () => void): () => void;
  /** Delivers what is buffered, then closes; at most five seconds. */
  close(): Promise<void>;
};

export type ConnectOptions = {
  /** `nats://[user:password@]host:port`, several separated by commas; `tls://` for TLS. */
  url: string;
  name: string;
  log: Logger;
  /** How long to wait for the first connection; for ever by default. Afterwards it reconnects for ever. */
  deadlineMs?: number;
  signal?: AbortSignal;
  stream?: StreamLimits;
};

const dialTimeoutMs = 5_000;
const closeTimeoutMs = 5_000;
const connectBackoff = { baseMs: 100, maxMs: 2_000 };

export async function connectNats(options: ConnectOptions): Promise<Nats> {
  const connection = await connectFirst(options);
  const listeners = new Set<() => void>();
  let connected = true;
  void watch(connection, options.log, {
    up: () => {
      connected = true;
      for (const listener of listeners) listener();
    },
    down: () => {
      connected = false;
    },
  });
  return {
    connection,
    stream: options.stream ?? {},
    isConnected: () => connected && !connection.isClosed(),
    onReconnect: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      if (connected)
        await Promise.race([connection.drain(), sleep(closeTimeoutMs, undefined, { ref: false })]);
      await connection.close();
    },
  };
}

/** Own loop instead of the client's `waitOnFirstConnect`, which knows no deadline and cannot be stopped. */
async function connectFirst(options: ConnectOptions): Promise<NatsConnection> {
  const { log, deadlineMs = Number.POSITIVE_INFINITY, signal } = options;
  const deadline = Date.now() + deadlineMs;
  let reason: string | undefined;
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await connect({
        ...parseServers(options.url),
        name: options.name,
        timeout: Math.max(1, Math.min(dialTimeoutMs, deadline - Date.now())),
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        // Two refused logins in a row would end the reconnecting; a credential may just be rolling over.
        ignoreAuthErrorAbort: true,
        // A server that froze or a link that went silent is noticed after 20 s, not after four minutes.
        pingInterval: 10_000,
        maxPingOut: 2,
        // Two stack traces a request, for errors that hardly ever come: 3 % of the CPU of updates of prompts.
        noAsyncTraces: true,
      });
    } catch (error) {
      const pauseMs = backoffMs(connectBackoff, attempt);
      if (Date.now() + pauseMs >= deadline) throw new Error('NATS cannot be reached', { cause: error });
      if (reasonOf(error) !== reason) log.warn({ err: error }, 'NATS cannot be reached yet; trying again');
      reason = reasonOf(error);
      await sleep(pauseMs, undefined, signal ? { signal } : {});
    }
  }
}

/** The client wraps what it met. */
const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
    : String(error);

/** Ends with the connection. */
async function watch(
  connection: NatsConnection,
  log: Logger,
  on: { up: () => void; down: () => void },
): Promise<void> {
  // A server that refuses the login does so at each attempt to reconnect: logged when the reason changes.
  let isDown = false;
  let reason: string | undefined;
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      isDown = true;
      on.down();
      log.warn({ server: status.server }, 'NATS connection lost; reconnecting');
    } else if (status.type === 'reconnect') {
      on.up();
      isDown = false;
      reason = undefined;
      log.info({ server: status.server }, 'NATS connection restored');
    } else if (status.type === 'error') {
      if (!isDown || reasonOf(status.error) !== reason) log.error({ err: status.error }, 'NATS error');
      reason = reasonOf(status.error);
    } else if (status.type === 'close') {
      on.down();
    }
  }
}

type ServerOptions = Pick<NodeConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'>;

/** The client takes hosts alone: credentials and the wish for TLS are read from the URLs here. */
export function parseServers(url: string): ServerOptions {
  const urls = url.split(',').flatMap((part) => URL.parse(part.trim()) ?? []);
  const [first] = urls;
  const isServer = (one: URL): boolean => /^(nats|tls):$/.test(one.protocol) && one.hostname !== '';
  // The parser's own error would hold the URL with its password.
  if (first === undefined || urls.length < url.split(',').length || !urls.every(isServer)) {
    throw new Error('A NATS URL is nats://host:port or tls://host:port');
  }
  const user = decodeURIComponent(first.username);
  const pass = decodeURIComponent(first.password);
  return {
    servers: urls.map((one) => `${one.hostname}:${one.port || '4222'}`),
    ...(user !== '' && pass !== '' ? { user, pass } : {}),
    ...(user !== '' && pass === '' ? { token: user } : {}),
    ...(first.protocol === 'tls:' ? { tls: {} } : {}),
  };
}
