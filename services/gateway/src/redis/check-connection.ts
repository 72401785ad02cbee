import type { Redis } from 'ioredis';
import { storeName } from './scripts.ts';

/** In cluster mode all counters share one slot, since a script may only touch keys of one. */
const clusterKeyPrefix = '{rl}:';
/** Without the prefix, two keys of different slots. */
const probedKeys = [storeName, 'fa:store'];

/**
 * The prefix of all keys: none unless the server is in cluster mode. Gateways that share a Redis must find the same
 * prefix, so a refusal that depends on the user's rights decides nothing. The server's own statement of its mode is
 * read only after such a refusal: a proxy in front of a cluster may not give it.
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

async function probe(redis: Redis, prefix: string): Promise<void> {
  await redis.eval('return 1', probedKeys.length, ...probedKeys.map((key) => `${prefix}${key}`));
}

/** `error`: of the probe without the prefix. A user may have rights to the keys with the prefix alone. */
async function isClusterMode(redis: Redis, error: unknown): Promise<boolean> {
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith('CROSSSLOT')) return true;
  if (!error.message.startsWith('NOPERM')) return false;
  const info = await redis.info('cluster').catch(() => '');
  return /^cluster_enabled:1/m.test(info);
}

/** Throws where Redis may evict counters, which would hand out quota a second time. Returns a warning. */
export async function checkEviction(redis: Redis, allowEviction: boolean): Promise<string | undefined> {
  let policy: string | undefined;
  let limit: string | undefined;
  try {
    policy = valueOf(await redis.config('GET', 'maxmemory-policy'));
    limit = valueOf(await redis.config('GET', 'maxmemory'));
  } catch (error) {
    if (!(error instanceof Error) || !/^(NOPERM|ERR) /.test(error.message)) throw error;
    return 'Redis does not show its maxmemory-policy to this user; it must be noeviction';
  }
  if (policy === 'noeviction') return undefined;
  if (limit !== '0' && !allowEviction) {
    throw new Error(`Redis may evict counters: its maxmemory-policy is ${policy} and must be noeviction`);
  }
  return `the maxmemory-policy of Redis is ${policy} and should be noeviction`;
}

/** A list of name and value, or with RESP3 an object. */
function valueOf(reply: unknown): string | undefined {
  const values = Array.isArray(reply) ? reply.slice(1) : Object.values(reply ?? {});
  return values[0] === undefined ? undefined : String(values[0]);
}
