import { ApiError } from '@bv/contract';
import { createBatcher } from '@bv/resilience';
import type { Metrics } from '@bv/telemetry';
import type { Redis } from 'ioredis';
import { observeRedisCalls } from '../telemetry.ts';
import type { ObserveRedisCall } from '../telemetry.ts';
import type { CounterRedis } from './redis-client.ts';
import { runScript, scripts, storeName } from './scripts.ts';

type Argument = string | number;
type Call = { keys: readonly string[]; args: readonly Argument[] };
type ScriptName = 'chargeRequest' | 'chargeMonth' | 'depositLease' | 'refundMonth' | 'countAttempt';

/** Calls the scripts. A call without a reply in time throws `rate_limit_unavailable`. */
export type Counters = {
  readonly clock: RedisClock;
  readonly timeoutMs: number;
  call(script: ScriptName, keys: readonly string[], ...args: Argument[]): Promise<unknown>;
};

/** Estimates the clock of Redis from its last reply and a monotonic local clock. Milliseconds since the epoch. */
type RedisClock = {
  now(): number;
  /** Sets the clock from the time in a reply that has just arrived. */
  sync(redisNowMs: number): void;
};

/** Time after the deadline inside the scripts, so that the reply of a late but charged call still arrives. */
const responseGraceMs = 50;

const limits = { maxBatchSize: 256, maxInFlight: 1 };

export function createCounters(
  connection: CounterRedis,
  options: { timeoutMs: number; metrics: Metrics; now: () => Date },
): Counters {
  const { timeoutMs } = options;
  const observe = observeRedisCalls(options.metrics);
  const batcherFor = (script: ScriptName) =>
    createBatcher<Call, unknown>({
      ...limits,
      timeoutMs: timeoutMs + responseGraceMs,
      send: (calls) => runBatch(connection, script, calls, observe),
    });
  const send = {
    chargeRequest: batcherFor('chargeRequest'),
    chargeMonth: batcherFor('chargeMonth'),
    depositLease: batcherFor('depositLease'),
    refundMonth: batcherFor('refundMonth'),
    countAttempt: batcherFor('countAttempt'),
  };
  return {
    clock: createRedisClock(options.now),
    timeoutMs,
    call: async (script, keys, ...args) => {
      const startedAt = performance.now();
      try {
        return await send[script]({ keys, args });
      } catch (cause) {
        observe(script, 'error', startedAt);
        throw rateLimiterUnavailable(cause);
      }
    },
  };
}

function createRedisClock(now: () => Date): RedisClock {
  let offset = now().getTime() - performance.now();
  return {
    now: () => performance.now() + offset,
    sync: (redisNowMs) => {
      offset = redisNowMs - performance.now();
    },
  };
}

/** Runs a script once for all calls. */
async function runBatch(
  connection: CounterRedis,
  script: ScriptName,
  calls: readonly Call[],
  observe: ObserveRedisCall,
): Promise<unknown[]> {
  // The connection may have been replaced while the calls waited: the run id is that of a checked connection.
  if (!connection.isUsable()) throw connection.unusableError('Redis is not usable');
  const startedAt = performance.now();
  const keys = [storeName, ...calls.flatMap((call) => call.keys)];
  // One JSON text for all arguments and one for all replies, because ioredis spends more CPU on separate values (ADR 7).
  const args = JSON.stringify(calls.map((call) => call.args));
  let reply: unknown;
  try {
    reply = await runScript(connection.redis, scripts[script], keys, [args, connection.runId()]);
  } catch (error) {
    connection.reportFailure(error);
    // The scripts catch the errors of all other keys.
    throw nameKeys(error, connection.redis, [storeName]);
  }
  observe(script, 'ok', startedAt);
  const replies = (JSON.parse(String(reply)) as unknown[]).map((each, index) =>
    readReply(each, connection.redis, calls[index]?.keys ?? []),
  );
  // The script catches errors of single calls. One of them can mean that the server cannot count.
  const failed = replies.find((each) => each instanceof Error);
  if (failed === undefined) connection.reportSuccess();
  else connection.reportFailure(failed);
  return replies;
}

/** Converts the reply of one call. An error fails only this call. */
function readReply(reply: unknown, redis: Redis, keys: readonly string[]): unknown {
  const { err } = reply as { err?: string };
  return err === undefined ? reply : nameKeys(new Error(err), redis, keys);
}

/** Redis does not name the key. Such a key has to be deleted, because every call with it fails. */
function nameKeys(error: unknown, { options }: Redis, keys: readonly string[]): unknown {
  if (!(error instanceof Error) || !error.message.includes('WRONGTYPE')) return error;
  const names = keys.map((key) => `${options.keyPrefix ?? ''}${key}`);
  return new Error(`WRONGTYPE value of ${names.join(' or ')}`, { cause: error });
}

/** The refusal of a request that cannot be counted. Such a request is never served. */
export function rateLimiterUnavailable(cause?: unknown): ApiError {
  return new ApiError('rate_limit_unavailable', { retryAfterSeconds: 1, cause });
}

export type ChargeReply = {
  state: 'ok' | 'address_blocked' | 'rate' | 'quota' | 'lease' | 'wait' | 'late';
  nowMs: number;
  /** Requests of the minute, including this one. */
  count: number;
  /** 202611 for November 2026. */
  month: number;
  minute: number;
};

/** How long one gateway has the exclusive right to lease a block. Afterwards another gateway may lease it. */
const leasingMs = 500;

/** Calls a charging script with the deadline after which it must not charge. Throws `rate_limit_unavailable`. */
export async function callCharge(
  counters: Counters,
  script: 'chargeRequest' | 'chargeMonth',
  keys: readonly string[],
  ...args: Argument[]
): Promise<ChargeReply> {
  const { clock, timeoutMs } = counters;
  // One late reply can mean that the clock of Redis was changed. The second attempt uses its new time.
  for (let attempts = 0; attempts < 2; attempts += 1) {
    const deadline = Math.floor(clock.now() + timeoutMs);
    const reply = readChargeReply(await counters.call(script, keys, deadline, leasingMs, ...args));
    clock.sync(reply.nowMs);
    if (reply.state !== 'late') return reply;
  }
  throw rateLimiterUnavailable(new Error('Redis replied after the deadline'));
}

function readChargeReply(raw: unknown): ChargeReply {
  const [state, nowMs, count = 0, month = 0, minute = 0] = raw as [ChargeReply['state'], ...number[]];
  if (nowMs === undefined) throw rateLimiterUnavailable(new Error('the reply of Redis contains no time'));
  return { state, nowMs, count, month, minute };
}
