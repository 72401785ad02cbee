import { createHash } from 'node:crypto';
import { ApiError } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';
import type { Redis } from 'ioredis';
import { gather } from '../gather.ts';
import type { CounterRedis } from './client.ts';
import { createRedisClock } from './clock.ts';
import type { RedisClock } from './clock.ts';
import type { CounterStore } from './counter-store.ts';
import {
  chargeMonthScript,
  chargeRequestScript,
  countAttemptScript,
  depositLeaseScript,
  refundMonthScript,
  storeName,
} from './scripts.ts';

const scripts = {
  chargeRequest: chargeRequestScript,
  chargeMonth: chargeMonthScript,
  depositLease: depositLeaseScript,
  refundMonth: refundMonthScript,
  countAttempt: countAttemptScript,
} as const;
const hashes = Object.fromEntries(
  Object.entries(scripts).map(([name, lua]) => [name, createHash('sha1').update(lua).digest('hex')]),
) as Record<ScriptName, string>;

type ScriptName = keyof typeof scripts;
type Argument = string | number;
type Call = { script: ScriptName; keys: readonly string[]; args: readonly Argument[] };

/** Calls the scripts; what has no answer in time becomes `rate_limit_unavailable`. */
export type Counters = {
  readonly clock: RedisClock;
  readonly timeoutMs: number;
  call(script: ScriptName, keys: readonly string[], ...args: Argument[]): Promise<unknown>;
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
    help: 'Time of a counter script in Redis, which runs for a batch of requests, by script and outcome.',
    labelNames: ['script', 'outcome'],
    buckets,
  });
  const observe: Observe = (script, outcome, startedAt) =>
    durations.observe({ script, outcome }, (performance.now() - startedAt) / 1_000);
  const send = gather<Call, unknown>({
    ...limits,
    timeoutMs: options.timeoutMs + answerGraceMs,
    send: (calls) => runScripts(connection.redis, calls, observe),
  });
  return {
    clock: createRedisClock(),
    timeoutMs: options.timeoutMs,
    lost: () => {
      options.store.look();
      return uncountable(new Error('Redis has lost its counters'));
    },
    call: async (script, keys, ...args) => {
      const startedAt = performance.now();
      try {
        if (!connection.usable()) throw new Error('Redis is not usable');
        if (!options.store.joined()) {
          options.store.look();
          throw new Error('Redis was not looked at yet');
        }
        return await send({ script, keys, args });
      } catch (cause) {
        observe(script, 'error', startedAt);
        throw uncountable(cause);
      }
    },
  };
}

type Observe = (script: ScriptName, outcome: 'ok' | 'error', startedAt: number) => void;

/** Each script once for all of its calls, in one pipeline. */
async function runScripts(redis: Redis, calls: readonly Call[], observe: Observe): Promise<unknown[]> {
  const startedAt = performance.now();
  const batches = [...Map.groupBy(calls.entries(), ([, { script }]) => script)];
  const pipeline = redis.pipeline();
  for (const [script, batch] of batches) pipeline.evalsha(hashes[script], ...argumentsOf(batch));
  const results = (await pipeline.exec()) ?? [];
  const replies: unknown[] = [];
  await Promise.all(
    batches.map(async ([script, batch], at) => {
      const [error, reply] = results[at] ?? [new Error('no reply')];
      // By their hashes: a script is a long text. A Redis that does not know one has not run it.
      const unknown = error?.message.startsWith('NOSCRIPT') === true;
      const again = (): Promise<unknown> => redis.eval(scripts[script], ...argumentsOf(batch));
      const answers = unknown ? await again().catch((cause: unknown) => cause) : (error ?? reply);
      const failed = !Array.isArray(answers);
      for (const [of, [index]] of batch.entries()) replies[index] = failed ? answers : answers[of];
      if (!failed) observe(script, 'ok', startedAt);
    }),
  );
  return replies;
}

/** As `forEachCall` of the scripts takes them. */
function argumentsOf(batch: readonly [index: number, call: Call][]): [number, ...Argument[]] {
  const keys = batch.flatMap(([, call]) => call.keys);
  const args = batch.flatMap(([, call]) => call.args);
  return [keys.length + 1, storeName, ...keys, batch.length, ...args];
}

/** What cannot be counted is refused, never served. */
export function uncountable(cause?: unknown): ApiError {
  return new ApiError('rate_limit_unavailable', { retryAfterSeconds: 1, cause });
}
