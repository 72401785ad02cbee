import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { startInterval } from '@bv/lifecycle';
import type { Logger } from '@bv/telemetry';
import type { Redis } from 'ioredis';
import { waitUntil } from './client.ts';
import type { CounterRedis } from './client.ts';
import type { SeenWindows } from './seen-windows.ts';
import { allowanceKey, storeName } from './scripts.ts';
import { arriveScript, joinStoreScript, restoreWindowScript } from './store-scripts.ts';

export type CounterStore = {
  /** Whether this gateway has told the Redis it is connected to what it had seen. */
  joined(): boolean;
  /** Has the store looked at now: a script has found it missing, or not yet complete. */
  look(): void;
  /** Resolves once requests can be counted, or after the time given. */
  firstJoined(timeoutMs: number): Promise<void>;
  stop(): Promise<void>;
};

/** A gateway tells of itself this often; a new store waits for twice as long for those who do. */
const lookMs = 250;
const restoreBatch = 500;

type JoinReply = [minute: number, awaited: number, created: number, opensInMs: number, ...gateways: string[]];

/**
 * A Redis that lost its data forgets how much of the minute is used. A new store is counted with once every gateway
 * that may have counted in this minute has put back what it saw; for one that never does, at the minute's end.
 */
export function keepCounterStore(
  connection: CounterRedis,
  { seen, log }: { seen: SeenWindows; log: Logger },
): CounterStore {
  const { redis } = connection;
  const self = randomUUID();
  let peers: string[] = [];
  let peersAt = 0;
  let run: string | undefined;
  let joined = false;
  /** Whether this gateway may have counted in any store: one that never was joined has nothing to put back. */
  let counted = false;
  let connections = 0;
  let opensAt = 0;

  const look = async (): Promise<void> => {
    if (!connection.usable()) return;
    const connected = connections;
    const of = run ?? (await runOf(redis));
    // Not of a connection that has ended meanwhile.
    if (connected !== connections) return;
    run = of;
    const known = { knownMs: Math.ceil(performance.now() - peersAt), peers };
    const [minute, awaited, created, opensInMs, ...others] = await join(redis, of, self, counted, known);
    if (created === 1) log.info('Redis holds no counters: those of the minute are put back');
    peers = others;
    peersAt = performance.now();
    opensAt = performance.now() + opensInMs;
    if (awaited === 1) {
      // The answers that came before this one have to be seen first.
      await setImmediate();
      await restore(redis, seen, minute);
      await redis.eval(arriveScript, 1, storeName, of, self);
    }
    joined = connected === connections;
    if (joined) connection.works();
    counted ||= joined;
  };
  const leave = (): void => {
    connections += 1;
    run = undefined;
    joined = false;
  };
  redis.on('close', leave);
  // A failed call is followed by the next; what cannot be counted meanwhile is refused.
  const looking = startInterval(lookMs, look, connection.failed);
  return {
    joined: () => joined,
    look: oneAtATime(look, connection.failed),
    firstJoined: (timeoutMs) => waitUntil(() => joined && performance.now() >= opensAt, timeoutMs),
    stop: async () => {
      redis.off('close', leave);
      await looking.stop();
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

type Known = { knownMs: number; peers: readonly string[] };

async function join(
  redis: Redis,
  run: string,
  self: string,
  counted: boolean,
  { knownMs, peers }: Known,
): Promise<JoinReply> {
  const args = [run, self, counted ? 1 : 0, knownMs, ...peers];
  return (await redis.eval(joinStoreScript, 1, storeName, ...args)) as JoinReply;
}

/** Of the process behind the connection: what a restarted one has read from its disk may be old. */
async function runOf(redis: Redis): Promise<string> {
  const info = await redis.info('server').catch((error: unknown) => {
    // Not to be asked by this user; a connection that failed or a Redis that is busy is asked again.
    if (error instanceof Error && /^(NOPERM|ERR) /.test(error.message)) return '';
    throw error;
  });
  return /^run_id:(\w+)/m.exec(info)?.[1] ?? 'unknown';
}

async function restore(redis: Redis, seen: SeenWindows, minute: number): Promise<void> {
  const counts = seen.of(minute);
  for (let from = 0; from < counts.length; from += restoreBatch) {
    const pipeline = redis.pipeline();
    for (const [keyId, count] of counts.slice(from, from + restoreBatch)) {
      pipeline.eval(restoreWindowScript, 1, allowanceKey(keyId), minute, count);
    }
    const replies = (await pipeline.exec()) ?? [];
    const failed = replies.find(([error]) => error !== null)?.[0];
    if (failed) throw failed;
  }
}
