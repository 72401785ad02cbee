import { purgedDeadLetterEvents, purgedOperations, type PurgePlan } from '@bv/events';
import { many, type Pool } from '@bv/postgres';

/** Deletes the counters of API keys and returns how many there were. */
type DeleteCounters = (keyIds: readonly string[]) => Promise<number>;

/**
 * Deletes the keys, links and stored responses of an organisation. Its id stays, without its name. Stored responses of
 * partners end after a day: they also belong to requests for other organisations.
 */
export const createPurgePlan = (pool: Pool, deleteCounters: DeleteCounters): PurgePlan => ({
  // Its keys are refused before they are counted, so no counter comes back.
  before: async (orgId) => ({ redis_counters: await deleteCounters(await listKeyIds(pool, orgId)) }),
  tables: [
    { table: 'idempotency_keys', rows: `owner_kind = 'organisation' and owner_id = $1` },
    { table: 'quota_leases', rows: 'key_id in (select id from api_keys where org_id = $1)' },
    { table: 'api_keys', rows: 'org_id = $1' },
    purgedDeadLetterEvents,
    purgedOperations,
    { table: 'partner_links', rows: 'org_id = $1' },
  ],
  clear: `update org_access set name = 'deleted' where org_id = $1 and deleted_at is not null and name <> 'deleted'`,
});

async function listKeyIds(pool: Pool, orgId: string): Promise<string[]> {
  const keys = await many<{ id: string }>(pool, {
    name: 'gateway.list_key_ids_of_org',
    text: 'select id from api_keys where org_id = $1',
    values: [orgId],
  });
  return keys.map(({ id }) => id);
}
