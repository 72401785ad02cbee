import { createHash } from 'node:crypto';
import { ApiError } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';
import { gather } from '../gather.ts';
import type { CounterRedis } from './client.ts';
import { createRedisClock } from './clock.ts';
import type { RedisClock } from './clock.ts';
import type { CounterStore } from './counter-store.ts';
import { callScript } from './script-call.ts';
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
type ScriptName = keyof typeof scripts;
const scriptNames = Object.keys(scripts) as ScriptName[];
const hashes = Object.fromEntries(
  scriptNames.map((name) => [name, createHash('sha1').update(scripts[name]).digest('hex')]),
) as Record<ScriptName, string>;

type Argument = string | number;
type Call = { keys: readonly string[]; args: readonly Argument[] };

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
    name: 'bv_redis_call_duration_seconds',
    help: 'Time of a counter script in Redis, which runs for a batch of requests, by script and outcome.',
    labelNames: ['script', 'outcome'],
    buckets,
  });
  const observe: Observe = (script, outcome, startedAt) =>
    durations.observe({ script, outcome }, (performance.now() - startedAt) / 1_000);
  const gatherFor = (script: ScriptName) =>
    gather<Call, unknown>({
      ...limits,
      timeoutMs: options.timeoutMs + answerGraceMs,
      send: (calls) => runScript(connection, script, calls, observe),
    });
  const send = Object.fromEntries(scriptNames.map((script) => [script, gatherFor(script)])) as Record<
    ScriptName,
    ReturnType<typeof gatherFor>
  >;
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
        if (!connection.usable()) throw connection.unusable('Redis is not usable');
        if (!options.store.joined()) {
          options.store.look();
          throw connection.unusable('Redis was not looked at yet');
        }
        return await send[script]({ keys, args });
      } catch (cause) {
        observe(script, 'error', startedAt);
        throw uncountable(cause);
      }
    },
  };
}

type Observe = (script: ScriptName, outcome: 'ok' | 'error', startedAt: number) => void;

/** Once for all calls. By its hash: a script is a long text. A Redis that does not know it has not run it. */
async function runScript(
  connection: CounterRedis,
  script: ScriptName,
  calls: readonly Call[],
  observe: Observe,
): Promise<unknown[]> {
  const { redis } = connection;
  const startedAt = performance.now();
  const keys = [storeName, ...calls.flatMap((call) => call.keys)];
  // One text for all arguments, and for all replies: each of their own would cost the edge as much again.
  const args = JSON.stringify(calls.map((call) => call.args));
  let answer: unknown;
  try {
    answer = await callScript(redis, hashes[script], keys, args).catch((error: unknown) => {
      const unknown = error instanceof Error && error.message.startsWith('NOSCRIPT');
      if (!unknown) throw error;
      return redis.eval(scripts[script], keys.length, ...keys, args);
    });
  } catch (error) {
    connection.failed(error);
    throw error;
  }
  observe(script, 'ok', startedAt);
  const replies = (JSON.parse(String(answer)) as unknown[]).map(readReply);
  // The script catches what one of its calls fails with: an error of the server fails all of them.
  const failed = replies.find((reply) => reply instanceof Error);
  if (failed !== undefined) connection.failed(failed);
  return replies;
}

/** An error that a script met for one of its calls fails that one. */
function readReply(reply: unknown): unknown {
  const { err } = reply as { err?: string };
  return err === undefined ? reply : new Error(err);
}

/** What cannot be counted is refused, never served. */
export function uncountable(cause?: unknown): ApiError {
  return new ApiError('rate_limit_unavailable', { retryAfterSeconds: 1, cause });
}
