import { randomUUID } from 'node:crypto';
import { eventually, openServiceStores } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { startWorkerProcess } from './worker-process.ts';

/** Only processes of the tests use these stores. */
let stores: Awaited<ReturnType<typeof openServiceStores>>;
beforeAll(async () => {
  stores = await openServiceStores({ name: 'results', readConfig, createApp });
});
afterAll(() => stores.stop());

/** More units than the first batch has, each with a brand and two sources. Returns the organisation. */
async function addResults(): Promise<string> {
  const [orgId, brandId] = [randomUUID(), randomUUID()];
  const insert = (text: string, values: unknown[] = [brandId, orgId]) => stores.sql.query(text, values);
  await insert(`insert into brands (id, org_id, name, domain, is_own, geography, aliases, match, version)
    values ($1, $2, 'Acme', 'acme.com', true, 'global', '{}', '{}', 1)`);
  await insert(`insert into brand_tokens (brand_id, org_id, changed_at, version) values ($1, $2, now(), 1)`);
  await insert(`insert into units (id, org_id, brand_id, prompt_id, platform, country, run_date, finalized_at, outcome,
      mentioned, position, cited, answer_text, answer_truncated, localization, search_queries, method_version)
    select gen_random_uuid(), $2, $1, $1, 'chatgpt', 'US', '2026-11-20', now(), 'answered',
      true, 1, true, 'Acme', false, 'none', '{}', '4'
    from generate_series(1, 150)`);
  const ofBrand = 'from units where brand_id = $1';
  await insert(
    `insert into unit_brands (own_brand_id, unit_id, ordinal, brand_id, name, domain, is_own, mentioned, mention_count, cited)
     select $1, id, 0, $1, 'Acme', 'acme.com', true, true, 1, true ${ofBrand}`,
    [brandId],
  );
  await insert(
    `insert into unit_sources (own_brand_id, unit_id, position, url, domain, cited)
     select $1, id, n, 'https://acme.com/', 'acme.com', true from generate_series(1, 2) n, units where brand_id = $1`,
    [brandId],
  );
  return orgId;
}

const requestPurge = (orgId: string) =>
  stores.sql.query('insert into org_purges (org_id, requested_at) values ($1, now())', [orgId]);

async function readPurge(orgId: string) {
  const { rows } = await stores.sql.query<{ removed: object; completed: boolean; left: number }>(
    `select removed, completed_at is not null as completed,
       (select count(*)::int from units where org_id = $1) as left
     from org_purges where org_id = $1`,
    [orgId],
  );
  return rows[0];
}

test('a process is killed after a batch: another one deletes the rest, and no row is counted twice', async () => {
  const [purged, kept] = [await addResults(), await addResults()];
  await requestPurge(purged);
  const crashing = startWorkerProcess(stores, { NODE_ENV: 'test', CRASH_AT: 'purge.batch_committed' });
  await crashing.ended;
  const { left = 0, ...killed } = (await readPurge(purged)) ?? {};
  // A slow machine deletes less in a batch.
  expect(left > 0 && left < 150).toBe(true);
  const units = 150 - left;
  const removed = { units, unit_brands: units, unit_sources: 2 * units };
  expect(killed).toEqual({ completed: false, removed });

  const survivors = [startWorkerProcess(stores), startWorkerProcess(stores)];
  await eventually(
    async () =>
      expect(await readPurge(purged)).toEqual({
        left: 0,
        completed: true,
        removed: { units: 150, unit_brands: 150, unit_sources: 300, brand_tokens: 1, brands: 1 },
      }),
    { timeoutMs: 60_000 },
  );
  await Promise.all(survivors.map((survivor) => survivor.end()));
  const { rows } = await stores.sql.query('select from units where org_id = $1', [kept]);
  expect(rows).toHaveLength(150);
}, 120_000);

test('a unit that is stored after its table was emptied is deleted too', async () => {
  const orgId = await addResults();
  await stores.sql.query(`insert into unit_markets (brand_id, platform, country)
    select brand_id, 'chatgpt', 'US' from units where org_id = '${orgId}' limit 1`);
  // Stands for a scan that ends during the purge.
  await stores.sql.query(`
    create function add_late_unit() returns trigger language plpgsql as $$
    begin
      insert into units (id, org_id, brand_id, prompt_id, platform, country, run_date, finalized_at, outcome, mentioned,
        cited, answer_truncated, localization, search_queries, method_version)
      values (gen_random_uuid(), '${orgId}', old.brand_id, old.brand_id, 'chatgpt', 'US', '2026-11-21', now(), 'answered',
        false, false, false, 'none', '{}', '4');
      return null;
    end $$;
    create trigger add_late_unit after delete on unit_markets for each row execute function add_late_unit()`);
  await requestPurge(orgId);
  const worker = startWorkerProcess(stores);
  await eventually(
    async () =>
      expect(await readPurge(orgId)).toEqual({
        left: 0,
        completed: true,
        removed: {
          units: 151,
          unit_brands: 150,
          unit_sources: 300,
          unit_markets: 1,
          brand_tokens: 1,
          brands: 1,
        },
      }),
    { timeoutMs: 60_000 },
  );
  await worker.end();
  await stores.sql.query('drop trigger add_late_unit on unit_markets; drop function add_late_unit');
}, 120_000);
