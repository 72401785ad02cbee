import { createHash } from 'node:crypto';
import { ApiError } from '@bv/contract';
import type { Metrics } from '@bv/telemetry';
import { createBatcher } from '../batcher.ts';
import type { CounterRedis } from './client.ts';
import { createRedisClock } from './clock.ts';
import type { RedisClock } from './clock.ts';
import type { CounterRecovery } from './counter-recovery.ts';
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

/** Calls the scripts. A call without a reply in time throws `rate_limit_unavailable`. */
export type Counters = {
  readonly clock: RedisClock;
  readonly timeoutMs: number;
  call(script: ScriptName, keys: readonly string[], ...args: Argument[]): Promise<unknown>;
  /** Called when a script found no complete store. Starts a recovery and returns the refusal. */
  reportLost(): ApiError;
};

/** Time after the deadline inside the scripts, so that the reply of a late but charged call still arrives. */
const responseGraceMs = 50;

const limits = { maxBatchSize: 256, maxInFlight: 1 };

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5];

export function createCounters(
  connection: CounterRedis,
  options: { recovery: CounterRecovery; timeoutMs: number; metrics: Metrics },
): Counters {
  const durations = options.metrics.histogram({
    name: 'bv_redis_call_duration_seconds',
    help: 'Time of a counter script in Redis, which runs for a batch of requests, by script and outcome.',
    labelNames: ['script', 'outcome'],
    buckets,
  });
  const observe: Observe = (script, outcome, startedAt) =>
    durations.observe({ script, outcome }, (performance.now() - startedAt) / 1_000);
  const batcherFor = (script: ScriptName) =>
    createBatcher<Call, unknown>({
      ...limits,
      timeoutMs: options.timeoutMs + responseGraceMs,
      send: (calls) => runScript(connection, script, calls, observe),
    });
  const send = Object.fromEntries(scriptNames.map((script) => [script, batcherFor(script)])) as Record<
    ScriptName,
    ReturnType<typeof batcherFor>
  >;
  return {
    clock: createRedisClock(),
    timeoutMs: options.timeoutMs,
    reportLost: () => {
      options.recovery.probe();
      return rateLimiterUnavailable(new Error('Redis has lost its counters'));
    },
    call: async (script, keys, ...args) => {
      const startedAt = performance.now();
      try {
        if (!connection.isUsable()) throw connection.unusableError('Redis is not usable');
        if (!options.recovery.isRegistered()) {
          options.recovery.probe();
          throw connection.unusableError('the gateway is not registered with Redis yet');
        }
        return await send[script]({ keys, args });
      } catch (cause) {
        observe(script, 'error', startedAt);
        throw rateLimiterUnavailable(cause);
      }
    },
  };
}

type Observe = (script: ScriptName, outcome: 'ok' | 'error', startedAt: number) => void;

/** Runs a script once for all calls, by its hash. A Redis without the script replies NOSCRIPT and gets its text. */
async function runScript(
  connection: CounterRedis,
  script: ScriptName,
  calls: readonly Call[],
  observe: Observe,
): Promise<unknown[]> {
  const { redis } = connection;
  const startedAt = performance.now();
  const keys = [storeName, ...calls.flatMap((call) => call.keys)];
  // One JSON text for all arguments and one for all replies: separate values would double the CPU time of the edge.
  const args = JSON.stringify(calls.map((call) => call.args));
  let reply: unknown;
  try {
    reply = await callScript(redis, hashes[script], keys, args).catch((error: unknown) => {
      const isMissing = error instanceof Error && error.message.startsWith('NOSCRIPT');
      if (!isMissing) throw error;
      return redis.eval(scripts[script], keys.length, ...keys, args);
    });
  } catch (error) {
    connection.reportFailure(error);
    throw error;
  }
  observe(script, 'ok', startedAt);
  const replies = (JSON.parse(String(reply)) as unknown[]).map(readReply);
  // The script catches errors of single calls. One of them can mean that the server cannot count.
  const failed = replies.find((each) => each instanceof Error);
  if (failed !== undefined) connection.reportFailure(failed);
  return replies;
}

/** Converts the reply of one call. An error fails only this call. */
function readReply(reply: unknown): unknown {
  const { err } = reply as { err?: string };
  return err === undefined ? reply : new Error(err);
}

/** The refusal of a request that cannot be counted. Such a request is never served. */
export function rateLimiterUnavailable(cause?: unknown): ApiError {
  return new ApiError('rate_limit_unavailable', { retryAfterSeconds: 1, cause });
}
