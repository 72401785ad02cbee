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
