import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { startInterval } from '@bv/lifecycle';
import type { Logger } from '@bv/telemetry';
import type { Redis } from 'ioredis';
import { waitUntil } from './redis-client.ts';
import type { CounterRedis } from './redis-client.ts';
import { allowanceKey, scripts, storeName } from './scripts.ts';

/** The counts that this gateway has observed. */
type ObservedCounts = { list(minute: number): [keyId: string, count: number][] };

export type CounterRecovery = {
  /** Whether this gateway has registered with the connected Redis and restored its counts there. */
  isRegistered(): boolean;
  /** Sends a heartbeat now. Called when a script has found the store missing or incomplete. */
  probe(): void;
  /** Resolves when requests can be counted, or after `timeoutMs`. */
  firstReady(timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
};

/** Interval of the heartbeat. A new store waits more than two intervals for gateways to register. */
const heartbeatMs = 250;
const restoreBatch = 500;

type RegisterReply = [
  minute: number,
  pending: number,
  created: number,
  readyInMs: number,
  ...members: string[],
];

/**
 * Restores the counts of the current minute after Redis has lost its data. Every gateway registers with the store by a
 * heartbeat. A new store becomes usable when every gateway that may have counted in this minute has restored its counts.
 * If one never does, for example because it died, the store becomes usable when the minute ends.
 */
export function startCounterRecovery(
  connection: CounterRedis,
  { observed, log }: { observed: ObservedCounts; log: Logger },
): CounterRecovery {
  const { redis } = connection;
  const self = randomUUID();
  let members: string[] = [];
  let membersReadAt = 0;
  let runId: string | undefined;
  let registered = false;
  /** Whether this gateway may have counted before. If it never registered, it has nothing to restore. */
  let mayHaveCounted = false;
  let connections = 0;
  let readyAt = 0;

  const heartbeat = async (): Promise<void> => {
    if (!connection.isUsable()) return;
    const connected = connections;
    const currentRunId = runId ?? (await findRunId(redis));
    // The connection may have closed meanwhile: the run id is that of its server.
    if (connected !== connections) return;
    runId = currentRunId;
    const known = { membersAgeMs: Math.ceil(performance.now() - membersReadAt), members };
    const reply = await register(redis, currentRunId, self, mayHaveCounted, known);
    const [minute, pending, created, readyInMs, ...registeredMembers] = reply;
    if (created === 1) log.info('Redis holds no counters; restoring those of the current minute');
    members = registeredMembers;
    membersReadAt = performance.now();
    readyAt = performance.now() + readyInMs;
    if (pending === 1) {
      // Earlier replies on this connection must be recorded before the restore.
      await setImmediate();
      await restore(redis, observed, minute);
      await redis.eval(scripts.completeRestore.text, 1, storeName, currentRunId, self);
    }
    registered = connected === connections;
    if (registered) connection.reportSuccess();
    mayHaveCounted ||= registered;
  };
  const onClose = (): void => {
    connections += 1;
    runId = undefined;
    registered = false;
  };
  redis.on('close', onClose);
  // The next heartbeat retries after a failure. Meanwhile requests are refused.
  const heartbeats = startInterval(heartbeatMs, heartbeat, connection.reportFailure);
  return {
    isRegistered: () => registered,
    probe: oneAtATime(heartbeat, connection.reportFailure),
    firstReady: (timeoutMs) => waitUntil(() => registered && performance.now() >= readyAt, timeoutMs),
    stop: async () => {
      redis.off('close', onClose);
      await heartbeats.stop();
    },
  };
}

function oneAtATime(run: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
}

type KnownMembers = { membersAgeMs: number; members: readonly string[] };

async function register(
  redis: Redis,
  runId: string,
  self: string,
  mayHaveCounted: boolean,
  { membersAgeMs, members }: KnownMembers,
): Promise<RegisterReply> {
  const args = [runId, self, mayHaveCounted ? 1 : 0, membersAgeMs, ...members];
  return (await redis.eval(scripts.registerGateway.text, 1, storeName, ...args)) as RegisterReply;
}

/** The run id of the Redis process. A restarted process may have read old data from its disk. */
async function findRunId(redis: Redis): Promise<string> {
  const info = await redis.info('server').catch((error: unknown) => {
    // This user may not run INFO. Other errors are retried by the next heartbeat.
    if (error instanceof Error && /^(NOPERM|ERR) /.test(error.message)) return '';
    throw error;
  });
  return /^run_id:(\w+)/m.exec(info)?.[1] ?? 'unknown';
}

async function restore(redis: Redis, observed: ObservedCounts, minute: number): Promise<void> {
  const counts = observed.list(minute);
  for (let from = 0; from < counts.length; from += restoreBatch) {
    const pipeline = redis.pipeline();
    for (const [keyId, count] of counts.slice(from, from + restoreBatch)) {
      pipeline.eval(scripts.restoreWindow.text, 1, allowanceKey(keyId), minute, count);
    }
    const replies = (await pipeline.exec()) ?? [];
    const failed = replies.find(([error]) => error !== null)?.[0];
    if (failed) throw failed;
  }
}
