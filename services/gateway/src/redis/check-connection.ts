import type { Redis } from 'ioredis';
import { storeName } from './scripts.ts';

/** In cluster mode all counters share one slot, since a script may only touch keys of one. */
const clusterKeyPrefix = '{rl}:';
/** Without the prefix, two keys of different slots. */
const probedKeys = [storeName, 'fa:store'];

/**
 * The prefix of all keys: none unless the server rejects scripts with keys of two slots. It is not asked for its mode,
 * which a proxy in front of a cluster may not name. Counters outside cluster mode keep their names, so that gateways
 * of two releases count together.
 */
export async function findKeyPrefix(redis: Redis): Promise<string> {
  redis.options.keyPrefix = '';
  try {
    await redis.eval('return 1', probedKeys.length, ...probedKeys);
    return '';
  } catch (error) {
    // A user who may not touch these keys may be one of the tagged keys.
    if (error instanceof Error && /^(CROSSSLOT|NOPERM)/.test(error.message)) return clusterKeyPrefix;
    throw error;
  }
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
