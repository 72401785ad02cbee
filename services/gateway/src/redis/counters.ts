import { ApiError } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';
import type { Redis } from 'ioredis';
import type { CounterRedis } from './client.ts';
import { createRedisClock } from './clock.ts';
import type { RedisClock } from './clock.ts';
import {
  chargeMonthScript,
  chargeRequestScript,
  countAttemptScript,
  depositLeaseScript,
  readAttemptsScript,
  refundMonthScript,
} from './scripts.ts';

const scripts = {
  chargeRequest: chargeRequestScript,
  chargeMonth: chargeMonthScript,
  depositLease: depositLeaseScript,
  refundMonth: refundMonthScript,
  readAttempts: readAttemptsScript,
  countAttempt: countAttemptScript,
} as const;

type ScriptName = keyof typeof scripts;
type Argument = string | number;
type ScriptRedis = Redis & Record<ScriptName, (key: string, ...args: Argument[]) => Promise<unknown>>;

/** Calls the scripts; what has no answer in time becomes `rate_limit_unavailable`. */
export type Counters = {
  readonly clock: RedisClock;
  readonly timeoutMs: number;
  call(script: ScriptName, key: string, ...args: Argument[]): Promise<unknown>;
};

/** What a call may take beyond the deadline inside the scripts, so that what was charged is also heard of. */
const answerGraceMs = 50;

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5];

export function createCounters(
  connection: CounterRedis,
  options: { timeoutMs: number; metrics: Metrics },
): Counters {
  const redis = connection.redis as ScriptRedis;
  for (const [name, lua] of Object.entries(scripts)) redis.defineCommand(name, { numberOfKeys: 1, lua });
  const durations = options.metrics.histogram({
    name: 'redis_call_duration_seconds',
    help: 'Time of a counter call to Redis, by script and outcome.',
    labelNames: ['script', 'outcome'],
    buckets,
  });
  return {
    clock: createRedisClock(),
    timeoutMs: options.timeoutMs,
    call: async (script, key, ...args) => {
      const startedAt = performance.now();
      const observe = (outcome: string): void =>
        durations.observe({ script, outcome }, (performance.now() - startedAt) / 1_000);
      try {
        if (!connection.usable()) throw new Error('Redis is not usable');
        const reply = await within(options.timeoutMs + answerGraceMs, redis[script](key, ...args));
        observe('ok');
        return reply;
      } catch (cause) {
        observe('error');
        throw uncountable(cause);
      }
    },
  };
}

/**
 * Gives a call up after its time, but not before what has arrived was read: after a busy moment a timer fires
 * first, and an answer that is there would be thrown away.
 */
function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`Redis did not answer within ${timeoutMs} ms`));
    const timer = setTimeout(() => setImmediate(() => setImmediate(late)), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** What cannot be counted is refused, never served. */
export function uncountable(cause?: unknown): ApiError {
  return new ApiError('rate_limit_unavailable', { retryAfterSeconds: 1, cause });
}
