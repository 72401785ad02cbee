import type { Logger } from '@bv/telemetry';
import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { checkEviction, findKeyPrefix } from './check-connection.ts';
import { movedTo, readUnusableReply } from './reply-errors.ts';
import { trackUnusableReason } from './unusable-reason.ts';

export type CounterRedis = {
  readonly redis: Redis;
  /** Whether counters are safe in this Redis: connected, checked, and nothing evicts them. */
  usable(): boolean;
  /** The error of a call that cannot be sent, with the reason as its cause. */
  unusable(message: string): Error;
  /** A call failed. Where its error says that this server cannot count, its connection is left. */
  failed: (error: unknown) => void;
  /** A write has succeeded. */
  works(): void;
  /** Resolves once connected, or after the time given; the service starts either way. */
  firstReady(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
};

export type CounterRedisOptions = {
  url: string;
  allowEviction: boolean;
  log: Logger;
};

/** Longest wait before the next connection: to a server that was not reached, and to one that cannot count. */
const maxDelayMs = { unreached: 500, unusable: 2_000 };

/** One connection, no queue while it is down: what cannot be counted now is refused now. */
export function connectCounterRedis(options: CounterRedisOptions): CounterRedis {
  const backOff = createBackOff();
  const redis = new Redis(options.url, { ...connectionOptions, retryStrategy: backOff.nextDelayMs });
  const reason = trackUnusableReason(options.log, { secret: secretOf(redis) });
  const address = followMoves(redis);
  const state = { isChecked: false, isExplained: false, isClosing: false };
  const explain = (error: unknown): void => {
    state.isExplained = true;
    if (readUnusableReply(error) !== undefined) backOff.unusable();
    reason.set(error);
  };
  const leave = (error: unknown): void => {
    explain(error);
    if (readUnusableReply(error)?.reaction === 'follow') address.follow(error as Error);
    state.isChecked = false;
    backOff.unusable();
    redis.disconnect(true);
  };
  redis.on('error', explain);
  redis.on('close', () => {
    state.isChecked = false;
    address.ended();
    if (!state.isExplained && !state.isClosing) reason.set(new Error(closedByServer));
    state.isExplained = false;
  });
  checkConnections(redis, options, { passed: () => (state.isChecked = true), failed: leave });
  return {
    redis,
    usable: () => state.isChecked && redis.status === 'ready',
    unusable: (message) => new Error(message, { cause: reason.cause() }),
    failed: (error) => {
      const reply = readUnusableReply(error);
      if (reply === undefined || redis.status !== 'ready') return;
      if (reply.reaction === 'keep') return reason.set(error, { comesAndGoes: true });
      leave(error);
    },
    works: () => {
      backOff.reset();
      reason.clear();
    },
    firstReady: (limitMs) => waitUntil(() => state.isChecked, limitMs),
    close: async () => {
      state.isClosing = true;
      redis.disconnect();
    },
  };
}

const connectionOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // ioredis would wait on a connection whose server is loading, although another one may be behind the address.
  enableReadyCheck: false,
  connectTimeout: 1_000,
  // A Redis that hangs keeps its connection open: a new one is made, so that a fail-over is found.
  socketTimeout: 3_000,
  connectionName: 'gateway',
} satisfies RedisOptions;

/** A user name without a password is a token. */
const secretOf = ({ options }: Redis): string => options.password || options.username || '';

type BackOff = { nextDelayMs: () => number; unusable: () => void; reset: () => void };

/** Doubles from connection to connection until a write succeeds. */
function createBackOff(): BackOff {
  let attempts = 0;
  let maxMs = maxDelayMs.unreached;
  return {
    nextDelayMs: () => {
      attempts += 1;
      const delayMs = Math.min(maxMs, 25 * 2 ** Math.min(attempts, 7));
      maxMs = maxDelayMs.unreached;
      return delayMs;
    },
    unusable: () => {
      maxMs = maxDelayMs.unusable;
    },
    reset: () => {
      attempts = 0;
    },
  };
}

type Checked = { passed: () => void; failed: (error: unknown) => void };

/** Looks at each new connection before anything is counted with it. */
function checkConnections(
  redis: Redis,
  { allowEviction, log }: CounterRedisOptions,
  { passed, failed }: Checked,
): void {
  let connection = 0;
  let lastWarning: string | undefined;
  const check = async (): Promise<void> => {
    const checked = connection;
    try {
      const keyPrefix = await findKeyPrefix(redis);
      const warning = await checkEviction(redis, allowEviction);
      if (checked !== connection) return;
      if (warning !== undefined && warning !== lastWarning) log.warn(warning);
      lastWarning = warning;
      redis.options.keyPrefix = keyPrefix;
      passed();
    } catch (error) {
      if (checked === connection && redis.status === 'ready') failed(error);
    }
  };
  redis.on('ready', () => void check());
  redis.on('close', () => {
    connection += 1;
  });
}

const closedByServer = 'Redis closed the connection; before any reply this can mean that it expects TLS';

type Address = { follow(moved: Error): void; ended(): void };

/** All counters are in one slot, so one connection is enough: to the server that a MOVED names. */
function followMoves({ options }: Redis): Address {
  const { host, port } = options;
  let next: { host: string; port: number } | undefined;
  return {
    follow: (moved) => {
      next = movedTo(moved);
    },
    // The configured address is right again when a connection ends for another reason.
    ended: () => {
      const to = next === undefined ? { host, port } : { ...next, host: next.host || options.host };
      Object.assign(options, to);
      next = undefined;
    },
  };
}

/** Looks every 20 ms; resolves after the time given too. */
export async function waitUntil(check: () => boolean, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!check() && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
