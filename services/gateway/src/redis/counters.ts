import { createHash } from 'node:crypto';
import { ApiError } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';
import type { Redis } from 'ioredis';
import { gather } from '../gather.ts';
import type { CounterRedis } from './client.ts';
import { createRedisClock } from './clock.ts';
import type { RedisClock } from './clock.ts';
import { storeName } from './counter-store.ts';
import type { CounterStore } from './counter-store.ts';
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
const hashes = Object.fromEntries(
  Object.entries(scripts).map(([name, lua]) => [name, createHash('sha1').update(lua).digest('hex')]),
) as Record<ScriptName, string>;

type ScriptName = keyof typeof scripts;
type Argument = string | number;
type Call = { script: ScriptName; key: string; args: readonly Argument[] };

/** Calls the scripts; what has no answer in time becomes `rate_limit_unavailable`. */
export type Counters = {
  readonly clock: RedisClock;
  readonly timeoutMs: number;
  call(script: ScriptName, key: string, ...args: Argument[]): Promise<unknown>;
  /** The refusal of what a script found no store for; has it looked at. */
  lost(): ApiError;
};

/** What a call may take beyond the deadline inside the scripts, so that what was charged is also heard of. */
const answerGraceMs = 50;

const limits = { batchMax: 256, inFlightMax: 1 };

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5];

export function createCounters(
  connection: CounterRedis,
  options: { store: CounterStore; timeoutMs: number; metrics: Metrics },
): Counters {
  const durations = options.metrics.histogram({
    name: 'redis_call_duration_seconds',
    help: 'Time of a counter call to Redis, by script and outcome.',
    labelNames: ['script', 'outcome'],
    buckets,
  });
  const send = gather<Call, unknown>({
    ...limits,
    timeoutMs: options.timeoutMs + answerGraceMs,
    send: (calls) => runScripts(connection.redis, calls),
  });
  return {
    clock: createRedisClock(),
    timeoutMs: options.timeoutMs,
    lost: () => {
      options.store.look();
      return uncountable(new Error('Redis has lost its counters'));
    },
    call: async (script, key, ...args) => {
      const startedAt = performance.now();
      const observe = (outcome: string): void =>
        durations.observe({ script, outcome }, (performance.now() - startedAt) / 1_000);
      try {
        if (!connection.usable()) throw new Error('Redis is not usable');
        if (!options.store.joined()) {
          options.store.look();
          throw new Error('Redis was not looked at yet');
        }
        const reply = await send({ script, key, args });
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
 * By their hashes: ioredis's own commands for scripts send the whole text once in each pipeline. A Redis that does
 * not know a script has not run it, so it is sent again with its text.
 */
async function runScripts(redis: Redis, calls: readonly Call[]): Promise<unknown[]> {
  const pipeline = redis.pipeline();
  for (const { script, key, args } of calls) pipeline.evalsha(hashes[script], 2, key, storeName, ...args);
  const replies = (await pipeline.exec()) ?? [];
  return Promise.all(
    calls.map(async ({ script, key, args }, index) => {
      const [error, reply] = replies[index] ?? [new Error('no reply')];
      if (error === null) return reply;
      if (!error.message.startsWith('NOSCRIPT')) return error;
      return redis.eval(scripts[script], 2, key, storeName, ...args).catch((cause: unknown) => cause);
    }),
  );
}

/** What cannot be counted is refused, never served. */
export function uncountable(cause?: unknown): ApiError {
  return new ApiError('rate_limit_unavailable', { retryAfterSeconds: 1, cause });
}
