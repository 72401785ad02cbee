import { purgedDeadEvents, type PurgePlan } from '@bv/events';
import { many, type Pool } from '@bv/postgres';
import type { CounterRedis } from '../rate-limiting/redis-client.ts';
import { allowanceKey } from '../rate-limiting/scripts.ts';

/**
 * Deletes the keys, links and stored responses of an organisation. Its id stays, without its name. Stored responses of
 * partners end after a day: they also belong to requests for other organisations.
 */
export const createPurgePlan = ({ pool, redis }: { pool: Pool; redis: CounterRedis }): PurgePlan => ({
  before: async (orgId) => ({ redis_counters: await deleteCounters({ pool, redis }, orgId) }),
  tables: [
    { table: 'idempotency_keys', rows: `owner_kind = 'organisation' and owner_id = $1` },
    { table: 'quota_leases', rows: 'key_id in (select id from api_keys where org_id = $1)' },
    { table: 'api_keys', rows: 'org_id = $1' },
    purgedDeadEvents,
    { table: 'partner_links', rows: 'org_id = $1' },
  ],
  clear: `update org_access set name = 'deleted' where org_id = $1 and deleted_at is not null and name <> 'deleted'`,
});

/** Counts of requests by key in Redis. Its keys are refused before they are counted, so none comes back. */
async function deleteCounters(
  { pool, redis }: { pool: Pool; redis: CounterRedis },
  orgId: string,
): Promise<number> {
  const keys = await many<{ id: string }>(pool, {
    name: 'gateway.list_key_ids_of_org',
    text: 'select id from api_keys where org_id = $1',
    values: [orgId],
  });
  if (keys.length === 0) return 0;
  if (!redis.isUsable()) throw redis.unusableError('Redis is not usable');
  const counts = await Promise.all(keys.map(({ id }) => redis.redis.del(allowanceKey(id))));
  return counts.reduce((sum, count) => sum + count, 0);
}
