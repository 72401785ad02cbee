import type { Logger } from '@bv/telemetry';
import { Redis } from 'ioredis';

export type CounterRedis = {
  readonly redis: Redis;
  /** Whether counters are safe in this Redis: connected, and nothing evicts them. */
  usable(): boolean;
  /** Resolves once connected, or after the time given; the service starts either way. */
  firstReady(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
};

export type CounterRedisOptions = {
  url: string;
  allowEviction: boolean;
  log: Logger;
};

/** One connection, no queue while it is down: what cannot be counted now is refused now. */
export function connectCounterRedis(options: CounterRedisOptions): CounterRedis {
  const { log } = options;
  const redis = new Redis(options.url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1_000,
    // A Redis that hangs keeps its connection open: it is dialled anew, so that a fail-over is found.
    socketTimeout: 3_000,
    retryStrategy: (attempt) => Math.min(500, 25 * 2 ** Math.min(attempt, 5)),
    connectionName: 'gateway',
  });
  let keepsCounters = false;
  redis.on('ready', () => {
    void keepsItsCounters(redis, options).then((keeps) => {
      keepsCounters = keeps;
    });
  });
  let down = false;
  redis.on('close', () => {
    keepsCounters = false;
    if (!down) log.warn('Redis connection lost; requests are refused until it is back');
    down = true;
  });
  redis.on('ready', () => {
    if (down) log.info('Redis connection restored');
    down = false;
  });
  // Each refused call reports its own failure; the event says nothing more.
  redis.on('error', () => undefined);
  return {
    redis,
    usable: () => keepsCounters && redis.status === 'ready',
    firstReady: (limitMs) => waitUntil(() => keepsCounters, limitMs),
    close: async () => {
      redis.disconnect();
    },
  };
}

/** Eviction would hand out quota a second time, so a Redis that may evict is not counted with. */
async function keepsItsCounters(redis: Redis, { log, allowEviction }: CounterRedisOptions): Promise<boolean> {
  let policy: string | undefined;
  let limit: string | undefined;
  try {
    policy = valueOf(await redis.config('GET', 'maxmemory-policy'));
    limit = valueOf(await redis.config('GET', 'maxmemory'));
  } catch (error) {
    log.warn({ err: error }, 'Redis does not tell its maxmemory-policy; it must be noeviction');
    return true;
  }
  if (policy === 'noeviction') return true;
  if (limit === '0' || allowEviction) {
    log.warn({ policy }, 'the maxmemory-policy of Redis should be noeviction');
    return true;
  }
  log.error({ policy }, 'Redis may evict counters: requests are refused until its policy is noeviction');
  return false;
}

/** A list of name and value, or with RESP3 an object. */
function valueOf(reply: unknown): string | undefined {
  const values = Array.isArray(reply) ? reply.slice(1) : Object.values(reply ?? {});
  return values[0] === undefined ? undefined : String(values[0]);
}

/** Looks every 20 ms; resolves after the time given too. */
export async function waitUntil(check: () => boolean, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!check() && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
