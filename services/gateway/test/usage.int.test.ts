import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startUsage, type Usage } from '../src/rate-limiting/usage.ts';
import { upsertUsed } from '../src/db/quota-leases.ts';
import { openGatewayDatabase, type GatewayDatabase } from './gateway-database.ts';

const month = 202_611;
let database: GatewayDatabase;
let usage: Usage;

beforeAll(async () => {
  database = await openGatewayDatabase();
});
beforeEach(() => {
  usage = startUsage({ pool: database.pool, intervalMs: 60_000, log: database.log });
});
afterEach(() => usage.stop());
afterAll(() => database.close());

async function insertKeys(count: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `with org as (
       insert into org_access (org_id, name, tier, api_access, version, created_at, updated_at)
       values (gen_random_uuid(), 'Acme', 'growth', true, 1, now(), now()) returning org_id
     )
     insert into api_keys (id, key_hash, pepper_id, key_prefix, org_id, scopes, per_minute)
     select gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 1, 'bvk_live_Ab1', org_id, '{read}', 60
     from org, generate_series(1, $1) returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

async function getUsed(keyIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await database.pool.query<{ key_id: string; used: string }>(
    'select key_id, used from quota_leases where key_id = any($1)',
    [keyIds],
  );
  return new Map(rows.map(({ key_id, used }) => [key_id, Number(used)]));
}

test('what many keys have used is written whole, once; what cannot be written waits for the next time', async () => {
  const keyIds = await insertKeys(1_203);
  for (const [index, keyId] of keyIds.entries()) {
    usage.add(keyId, month, 1);
    if (index % 2 === 0) usage.add(keyId, month, 1);
  }
  // One key in the middle refuses, and with it all that go out together with it.
  await database.pool.query(
    `alter table quota_leases add constraint refused check (key_id <> '${keyIds[600]}') not valid`,
  );
  await expect(usage.flush()).rejects.toThrow('refused');
  const written = await getUsed(keyIds);
  expect(written.size).toBeGreaterThan(0);
  expect(written.size).toBeLessThan(keyIds.length - 500);
  // A failed batch is written last the next time, so that it blocks only the keys of the same batch.
  for (let times = 0; times < 4; times += 1) await expect(usage.flush()).rejects.toThrow('refused');
  expect((await getUsed(keyIds)).size).toBeGreaterThanOrEqual(keyIds.length - 500);
  await database.pool.query('alter table quota_leases drop constraint refused');
  await usage.stop();
  const expected = new Map(keyIds.map((keyId, index) => [keyId, index % 2 === 0 ? 2 : 1]));
  expect(await getUsed(keyIds)).toEqual(expected);
});

test('the use of a key that is deleted meanwhile is dropped, and that of other keys is written', async () => {
  const [kept = '', deleted = ''] = await insertKeys(2);
  for (const keyId of [kept, deleted]) usage.add(keyId, month, 1);
  await database.pool.query('delete from api_keys where id = $1', [deleted]);
  await usage.flush();
  expect(await getUsed([kept, deleted])).toEqual(new Map([[kept, 1]]));
});

test('requests counted during a write, in another month or refunded are written too', async () => {
  const keyIds = await insertKeys(1_203);
  for (const keyId of keyIds) usage.add(keyId, month, 1);
  let flushes = 0;
  const flushing = usage.flush().finally(() => (flushes += 1));
  while (flushes === 0) {
    for (const keyId of keyIds.slice(0, 3)) usage.add(keyId, month, 1);
    for (const keyId of keyIds.slice(0, 3)) usage.add(keyId, month, -1);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await flushing;
  for (const keyId of keyIds) usage.add(keyId, month + 1, 1);
  usage.add(keyIds[0] ?? '', month, 1);
  await usage.stop();
  const { rows } = await database.pool.query(
    `select month, count(*)::int as keys, sum(used)::int as used from quota_leases where key_id = any($1)
      group by month order by month`,
    [keyIds],
  );
  expect(rows).toEqual([
    { month, keys: 1_203, used: 1_204 },
    { month: month + 1, keys: 1_203, used: 1_203 },
  ]);
});

test('a key that is told twice is written once, with both', async () => {
  const [keyId = ''] = await insertKeys(1);
  await upsertUsed(database.pool, [
    { keyId, month, delta: 2 },
    { keyId, month, delta: 3 },
  ]);
  expect(await getUsed([keyId])).toEqual(new Map([[keyId, 5]]));
});
