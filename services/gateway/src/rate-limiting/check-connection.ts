import type { Redis } from 'ioredis';
import { storeName } from './scripts.ts';

/** In cluster mode all counters share one slot, because a script may only access keys of one slot. */
const clusterKeyPrefix = '{rl}:';
/** Two keys that have different slots without the prefix. */
const probedKeys = [storeName, 'fa:store'];

/** The run id of the Redis process. A restarted process may have read old data from its disk. */
export async function readRunId(redis: Redis): Promise<string> {
  const runId = /^run_id:(\w+)/m.exec(await redis.info('server'))?.[1];
  if (runId === undefined) throw new Error('INFO of Redis contains no run_id');
  return runId;
}

/**
 * Returns the prefix of all keys. It is empty unless the server is in cluster mode. Gateways that share a Redis must find
 * the same prefix, so a refusal that depends on the user's rights decides nothing. The server's own statement of its mode
 * is read only after such a refusal, because a proxy in front of a cluster may hide it.
 */
export async function findKeyPrefix(redis: Redis): Promise<string> {
  redis.options.keyPrefix = '';
  try {
    await probe(redis, '');
    return '';
  } catch (error) {
    if (!(await isClusterMode(redis, error))) throw error;
    await probe(redis, clusterKeyPrefix);
    return clusterKeyPrefix;
  }
}

/** Proves that a script may write: a demoted or read-only server refuses this, although there is no such key. */
async function probe(redis: Redis, prefix: string): Promise<void> {
  await redis.eval(
    "return redis.call('DEL', KEYS[2])",
    probedKeys.length,
    ...probedKeys.map((key) => `${prefix}${key}`),
  );
}

/** `error` is that of the probe without the prefix. A user may have access only to keys with the prefix. */
async function isClusterMode(redis: Redis, error: unknown): Promise<boolean> {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith('CROSSSLOT')) return true;
  if (!error.message.startsWith('NOPERM')) return false;
  return /^cluster_enabled:1/m.test(await redis.info('cluster'));
}

/** Throws if Redis may evict counters, which would grant quota twice. Returns a warning or undefined. */
export async function checkEviction(redis: Redis, allowEviction: boolean): Promise<string | undefined> {
  let policy: string | undefined;
  let limit: string | undefined;
  try {
    policy = parseConfigValue(await redis.config('GET', 'maxmemory-policy'));
    limit = parseConfigValue(await redis.config('GET', 'maxmemory'));
  } catch (error) {
    if (!(error instanceof Error) || !/^(NOPERM|ERR) /.test(error.message)) throw error;
    return 'this user may not read the maxmemory-policy of Redis; it must be noeviction';
  }
  if (policy === 'noeviction') return undefined;
  if (limit !== '0' && !allowEviction) {
    throw new Error(`Redis may evict counters: its maxmemory-policy is ${policy} and must be noeviction`);
  }
  return `the maxmemory-policy of Redis is ${policy} and should be noeviction`;
}

/** The reply is a list of name and value. */
const parseConfigValue = (reply: unknown): string | undefined => (reply as string[])[1];
