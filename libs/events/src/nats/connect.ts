import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@bv/resilience';
import type { Logger } from '@bv/telemetry';
import { connect, credsAuthenticator, nkeyAuthenticator } from '@nats-io/transport-node';
import type { Authenticator, NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';

export type Nats = {
  readonly connection: NatsConnection;
  readonly streamReplicas: number | undefined;
  isConnected(): boolean;
  /** After a reconnect the server may have lost subscriptions. Returns an unsubscribe function. */
  onReconnect(listener: () => void): () => void;
  /** Sends what is buffered, then closes. Takes at most 5 s. */
  close(): Promise<void>;
};

export type ConnectOptions = {
  /** `nats://[user:password@]host:port`, several separated by commas; `tls://` for TLS. */
  url: string;
  /** Credentials file, or a file with the seed of an NKey. Read at each login, because it may be replaced. */
  credsFile?: string | undefined;
  /** Replicas of the stream. Without it, those of an existing stream do not change. */
  streamReplicas?: number | undefined;
  name: string;
  log: Logger;
  /** Timeout of the first connection. Default: none. Afterwards it reconnects for ever. */
  deadlineMs?: number;
  signal?: AbortSignal;
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
    streamReplicas: options.streamReplicas,
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

/** Replaces the client's `waitOnFirstConnect`, which has no deadline and cannot be aborted. */
async function connectFirst(options: ConnectOptions): Promise<NatsConnection> {
  const { log, deadlineMs = Number.POSITIVE_INFINITY, signal } = options;
  const deadline = Date.now() + deadlineMs;
  let reason: string | undefined;
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await connect({
        ...parseServers(options.url),
        ...(options.credsFile ? { authenticator: fileAuthenticator(options.credsFile, log) } : {}),
        name: options.name,
        timeout: Math.max(1, Math.min(dialTimeoutMs, deadline - Date.now())),
        maxReconnectAttempts: -1,
        reconnectTimeWait: 250,
        // Otherwise two rejected logins in a row would end the reconnecting, also while credentials are rotated.
        ignoreAuthErrorAbort: true,
        // Detects a frozen server or a silent connection after 20 s instead of four minutes.
        pingInterval: 10_000,
        maxPingOut: 2,
        // Saves two stack traces a request, which cost 3 % of the CPU time of prompt updates.
        noAsyncTraces: true,
      });
    } catch (error) {
      const pauseMs = backoffMs(connectBackoff, attempt);
      if (Date.now() + pauseMs >= deadline) throw new Error('NATS cannot be reached', { cause: error });
      if (reasonOf(error) !== reason) log.warn({ err: error }, 'NATS cannot be reached yet; retrying');
      reason = reasonOf(error);
      await sleep(pauseMs, undefined, signal ? { signal } : {});
    }
  }
}

/**
 * Reads the file at each login. If it cannot be read, as while it is replaced, the server rejects the login and the client
 * tries again: an error of an authenticator would end the connection for ever.
 */
function fileAuthenticator(path: string, log: Logger): Authenticator {
  let reason: string | undefined;
  return (nonce) => {
    try {
      const content = readFileSync(path, 'utf8').trim();
      const isCreds = content.includes('BEGIN NATS USER JWT');
      // The parser of credentials requires a line break at the end, and that of seeds refuses one.
      const create = isCreds ? credsAuthenticator : nkeyAuthenticator;
      return create(Buffer.from(isCreds ? `${content}\n` : content))(nonce);
    } catch (error) {
      if (reasonOf(error) !== reason) log.error({ err: error }, 'NATS_CREDS_FILE cannot be read');
      reason = reasonOf(error);
      return undefined;
    }
  };
}

/** The client wraps the cause. */
const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`
    : String(error);

/** Logs and reports the state of the connection until it is closed. */
async function watch(
  connection: NatsConnection,
  log: Logger,
  on: { up: () => void; down: () => void },
): Promise<void> {
  // A rejected login repeats at each attempt to reconnect, so an error is logged only if its reason changes.
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

/** Reads credentials and the TLS setting from the URLs, because the client accepts only hosts. */
export function parseServers(url: string): ServerOptions {
  const urls = url.split(',').flatMap((part) => URL.parse(part.trim()) ?? []);
  const [first] = urls;
  const isServer = (one: URL): boolean => /^(nats|tls):$/.test(one.protocol) && one.hostname !== '';
  // The error of the URL parser would contain the password.
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
