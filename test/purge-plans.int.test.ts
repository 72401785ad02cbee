import { randomUUID } from 'node:crypto';
import { createDatabase } from '@bv/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { purgePlan as catalogPlan } from '../services/catalog/src/db/purge.ts';
import { createPurgePlan } from '../services/gateway/src/db/purge.ts';

/** Its queries need neither of the stores. */
const gatewayPlan = createPurgePlan({ pool: undefined as never, redis: undefined as never });

/** Runs `use` on a new database of a service. */
async function withDatabase(service: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const database = await createDatabase(service);
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
    await database.drop();
  }
}

test.each([
  [
    'catalog',
    catalogPlan,
    `insert into orgs (id, name, tier, overrides, deleted_at) values ($1, 'Acme', 'scale', '{"prompts": 5}', now())`,
  ],
  [
    'gateway',
    gatewayPlan,
    `insert into org_access (org_id, name, tier, api_access, version, created_at, updated_at, deleted_at)
     values ($1, 'Acme', 'scale', true, 1, now(), now(), now())`,
  ],
])('%s clears a deleted organisation once, and later checks write nothing', async (service, plan, insert) => {
  await withDatabase(service, async (client) => {
    const orgId = randomUUID();
    await client.query(insert, [orgId]);
    const clear = async () => (await client.query(plan.clear ?? '', [orgId])).rowCount;
    expect(await clear()).toBe(1);
    expect(await clear()).toBe(0);
  });
});
