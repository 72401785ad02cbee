import { backoffMs } from '@bv/resilience';
import type { Logger } from '@bv/telemetry';
import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { checkEviction, findKeyPrefix, readRunId } from './check-connection.ts';
import { parseMoved, readUnusableReply, trackUnusableReason } from './redis-errors.ts';
import { allowanceKey } from './scripts.ts';

export type CounterRedis = {
  readonly redis: Redis;
  /** Whether Redis can count: it is connected and checked, and evicts no counters. */
  isUsable(): boolean;
  /** Run id of the Redis process that passed the checks last. */
  runId(): string;
  /** Creates the error of a call that cannot be sent, with the reason as its cause. */
  unusableError(message: string): Error;
  /** Reports the error of a call. Closes the connection if the error means that this server cannot count. */
  reportFailure: (error: unknown) => void;
  /** Reports a successful call. */
  reportSuccess(): void;
  /** Resolves when Redis is usable, or after `timeoutMs`. */
  firstReady(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
};

export type CounterRedisOptions = {
  url: string;
  /** URLs of sentinels, which know the address of the primary by its name. */
  sentinels?: string | undefined;
  masterName?: string;
  allowEviction: boolean;
  log: Logger;
};

/** Maximum delay before the next connection: to an unreachable server, and to one that cannot count. */
const maxDelayMs = { unreachable: 500, unusable: 2_000 };

/** One connection without an offline queue: requests that cannot be counted now are refused now. */
export function connectCounterRedis(options: CounterRedisOptions): CounterRedis {
  const backOff = createBackOff();
  const redis = new Redis(options.url, {
    ...connectionOptions,
    ...sentinelOptions(options),
    retryStrategy: backOff.nextDelayMs,
  });
  const reason = trackUnusableReason(options.log, { secret: getSecret(redis) });
  const address = followMoves(redis);
  const state = { isChecked: false, runId: '', isExplained: false, isClosing: false };
  const explain = (error: unknown): void => {
    state.isExplained = true;
    if (readUnusableReply(error) !== undefined) backOff.unusable();
    reason.set(error);
  };
  const closeConnection = (error: unknown): void => {
    explain(error);
    if (readUnusableReply(error)?.reaction === 'follow') address.follow(error as Error);
    state.isChecked = false;
    backOff.unusable();
    redis.disconnect(true);
  };
  redis.on('error', (error) => {
    // The end of the socket after an error reply explains nothing more.
    if (!state.isExplained) explain(error);
  });
  redis.on('close', () => {
    state.isChecked = false;
    address.onClose();
    if (!state.isExplained && !state.isClosing) reason.set(new Error(closedByServer));
    state.isExplained = false;
  });
  const reportSuccess = (): void => {
    backOff.reset();
    reason.clear();
  };
  const passed = (runId: string): void => {
    state.runId = runId;
    state.isChecked = true;
    reportSuccess();
  };
  checkConnections(redis, options, { passed, failed: closeConnection });
  return {
    redis,
    isUsable: () => state.isChecked && redis.status === 'ready',
    runId: () => state.runId,
    unusableError: (message) => new Error(message, { cause: reason.cause() }),
    reportFailure: (error) => {
      const reply = readUnusableReply(error);
      if (reply === undefined || redis.status !== 'ready') return;
      if (reply.reaction === 'keep') return reason.set(error, { isIntermittent: true });
      closeConnection(error);
    },
    reportSuccess,
    firstReady: (limitMs) => waitUntil(() => state.isChecked, limitMs),
    close: async () => {
      state.isClosing = true;
      redis.disconnect();
    },
  };
}

/** Deletes minute and month of API keys. Returns how many keys had any. */
export async function deleteCounters(connection: CounterRedis, keyIds: readonly string[]): Promise<number> {
  if (keyIds.length === 0) return 0;
  if (!connection.isUsable()) throw connection.unusableError('Redis is not usable');
  return connection.redis.del(...keyIds.map(allowanceKey));
}

const connectionOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  // ioredis would wait for a server that is loading, although the address may lead to another server by now.
  enableReadyCheck: false,
  connectTimeout: 1_000,
  // A server that hangs keeps its connection open. A new connection finds the server after a failover.
  socketTimeout: 3_000,
  // At most one write before the first reply: a second would fail while the reason of a refused connection is unread.
  disableClientInfo: true,
  // The reply of protected mode to the login of RESP3 would pass for success.
  protocol: 2,
} satisfies RedisOptions;

/** Each connection asks the sentinels again. They have other credentials than Redis. */
function sentinelOptions({ sentinels, masterName }: CounterRedisOptions) {
  if (!sentinels) return {};
  const urls = sentinels.split(',').map((each) => new URL(each.trim()));
  const { protocol, username, password } = urls[0] as URL;
  return {
    sentinels: urls.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || 26_379),
    })),
    name: masterName,
    sentinelUsername: decodeURIComponent(username),
    sentinelPassword: decodeURIComponent(password),
    sentinelCommandTimeout: connectionOptions.connectTimeout,
    ...(protocol === 'rediss:' && { sentinelTLS: {} }),
    // Only `rediss://` in the URL of Redis turns it on.
    enableTLSForSentinelMode: true,
  } satisfies RedisOptions;
}

/** A user name without a password is an access token. */
const getSecret = ({ options }: Redis): string => options.password || options.username || '';

type BackOff = { nextDelayMs: () => number; unusable: () => void; reset: () => void };

/** The delay doubles with each connection until one passes its checks. */
function createBackOff(): BackOff {
  let attempts = 0;
  let maxMs = maxDelayMs.unreachable;
  return {
    nextDelayMs: () => {
      attempts += 1;
      const delayMs = backoffMs({ baseMs: 50, maxMs }, attempts - 1);
      maxMs = maxDelayMs.unreachable;
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

type Checked = { passed: (runId: string) => void; failed: (error: unknown) => void };

/** Checks each new connection before it is used for counting. */
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
      const runId = await readRunId(redis);
      void redis.client('SETNAME', 'gateway').catch(() => undefined);
      const keyPrefix = await findKeyPrefix(redis);
      const warning = await checkEviction(redis, allowEviction);
      if (checked !== connection) return;
      if (warning !== undefined && warning !== lastWarning) log.warn(warning);
      lastWarning = warning;
      redis.options.keyPrefix = keyPrefix;
      passed(runId);
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

type Address = { follow(moved: Error): void; onClose(): void };

/** All counters are in one slot, so one connection to the server that MOVED names is enough. */
function followMoves({ options }: Redis): Address {
  const { host, port } = options;
  let next: { host: string; port: number } | undefined;
  return {
    follow: (moved) => {
      next = parseMoved(moved);
    },
    // After any other end of a connection the configured address is used again.
    onClose: () => {
      const target = next === undefined ? { host, port } : { ...next, host: next.host || options.host };
      Object.assign(options, target);
      next = undefined;
    },
  };
}

/** Checks every 20 ms. Resolves when the check is true, or after `limitMs`. */
async function waitUntil(check: () => boolean, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!check() && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
