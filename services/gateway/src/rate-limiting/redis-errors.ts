import type { Logger } from '@bv/telemetry';

/**
 * What an error reply means for the connection to Redis.
 * - `reconnect`: this server cannot count now. Another one behind the same address may.
 * - `follow`: another server has the keys, and the reply names it.
 * - `keep`: a new connection would get the same reply; the next call tries again.
 * An error that is not listed is the fault of one call.
 */
type Reaction = 'reconnect' | 'follow' | 'keep';

/** Error prefixes of Redis and Valkey. */
const reactions = {
  // Demoted to a replica, or a replica without its primary.
  READONLY: 'reconnect',
  MASTERDOWN: 'reconnect',
  UNBLOCKED: 'reconnect',
  // Restarted, and still loading its data.
  LOADING: 'reconnect',
  // A primary without replicas. They may have another primary by now.
  NOREPLICAS: 'reconnect',
  // The server cannot save its data, so it accepts no writes.
  MISCONF: 'reconnect',
  // Cluster mode: no quorum, or a slot that no server has.
  CLUSTERDOWN: 'reconnect',
  // The login is sent at the start of a connection.
  NOAUTH: 'reconnect',
  WRONGPASS: 'reconnect',
  DENIED: 'reconnect',
  // Cluster mode: the slot has another primary.
  MOVED: 'follow',
  // Cluster mode: the slot moves at this moment.
  ASK: 'keep',
  TRYAGAIN: 'keep',
  // Out of memory. Its replicas hold the same data.
  OOM: 'keep',
  // Access rules change without a new login.
  NOPERM: 'keep',
  // A slow script or function is running.
  BUSY: 'keep',
} as const satisfies Record<string, Reaction>;

type Code = keyof typeof reactions;

/** Scripts that catch an error keep its text. Before Redis 7 the name and line of the script precede it. */
const prefix = new RegExp(
  `(?:^|^@?user_script[^-]*-|^ERR Error running script[^-]*-)(${codes().join('|')})\\b`,
);

function codes(): string[] {
  return Object.keys(reactions);
}

export type UnusableReply = { code: Code; reaction: Reaction };

/** Undefined if the error is not about the state of the server. */
export function readUnusableReply(error: unknown): UnusableReply | undefined {
  const code = error instanceof Error ? (prefix.exec(error.message)?.[1] as Code | undefined) : undefined;
  return code === undefined ? undefined : { code, reaction: reactions[code] };
}

/** Host and port of `MOVED 3999 10.0.0.5:6379`; an empty host means the server that sent it. */
export function parseMoved(error: Error): { host: string; port: number } | undefined {
  const [, host, port] = /\bMOVED \d+ (\S*):(\d+)/.exec(error.message) ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}

/**
 * The reason why Redis cannot be used. It is logged when it changes, and is the cause of refused calls. Alternating reasons
 * are each logged at most once a minute.
 */
export type UnusableReason = {
  /** `isIntermittent`: other calls succeed in between, so the reason is logged at most once a minute. */
  set(error: unknown, options?: { isIntermittent?: boolean }): void;
  /** Called after a successful call. */
  clear(): void;
  cause(): Error | undefined;
};

const repeatMs = 60_000;

export function trackUnusableReason(
  log: Logger,
  { secret, now = () => performance.now() }: { secret: string; now?: () => number },
): UnusableReason {
  let current: { key: string; cause: Error } | undefined;
  /** When each reason was logged last, and in which outage. */
  const logged = new Map<string, { atMs: number; outage: number }>();
  let outage = 0;
  let isDownLogged = false;
  return {
    set: (error, { isIntermittent = false } = {}) => {
      const { key, text } = describe(error, secret);
      const isNew = current?.key !== key;
      current = { key, cause: new Error(text) };
      const last = logged.get(key);
      const isRecent = last !== undefined && now() - last.atMs < repeatMs;
      if (!isNew || (isRecent && (isIntermittent || last.outage === outage))) return;
      for (const [other, { atMs }] of logged) if (now() - atMs >= repeatMs) logged.delete(other);
      logged.set(key, { atMs: now(), outage });
      isDownLogged = true;
      log.warn({ reason: text }, 'Redis cannot be used; what it must count is refused');
    },
    clear: () => {
      current = undefined;
      outage += 1;
      if (isDownLogged) log.info('Redis can be used again');
      isDownLogged = false;
    },
    cause: () => current?.cause,
  };
}

/** Uses only the message: errors of the client contain the command with its arguments, for example a password. */
function describe(error: unknown, secret: string): { key: string; text: string } {
  const { message, code } = error as { message?: string; code?: string };
  const messages =
    error instanceof AggregateError ? error.errors.map(getMessage) : [message ?? String(error)];
  // The error of an unknown command repeats its arguments.
  const written = messages.join('; ').replace(/,? with args beginning with.*/s, '');
  const text = secret === '' ? written : written.replaceAll(secret, '[redacted]');
  return { key: readUnusableReply(error)?.code ?? code ?? text, text };
}

const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
