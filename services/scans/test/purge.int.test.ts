import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, waitUntilLocked } from '@bv/testkit';
import { insertScheduleRun } from '../src/db/brands.ts';
import { startScans } from './harness.ts';

let scans: Awaited<ReturnType<typeof startScans>>;
beforeAll(async () => {
  scans = await startScans();
});
afterAll(() => scans.stop());

test('a purge is done although many others wait for the end of scans', async () => {
  const last = 'ffffffff-0000-4000-8000-000000000000';
  await scans.query(
    `insert into scan_jobs (org_id, brand_id, status, trigger, run_date, idempotency_key, units_total, platforms,
       countries, tracked_brands, brand_as_of, charged, queued_at)
     select gen_random_uuid(), gen_random_uuid(), 'running', 'scheduled', '2026-11-20', 'key', 1, '{}', '{}', '[]', now(),
       'none', now()
     from generate_series(1, 150)`,
  );
  await scans.query(`insert into org_purges (org_id, requested_at) select org_id, now() from scan_jobs`);
  await scans.query(`insert into org_purges (org_id, requested_at) values ($1, now())`, [last]);
  await scans.startReplica();
  await eventually(async () =>
    expect(await scans.query('select org_id from org_purges where completed_at is not null')).toEqual([
      { org_id: last },
    ]),
  );
});

test('a purge skips rows that others have locked, and deletes them later', async () => {
  const orgId = '11111111-0000-4000-8000-000000000000';
  const countRows = async () =>
    (await scans.query('select from virtual_times where org_id = $1', [orgId])).length;
  await scans.query(
    `insert into virtual_times (org_id, platform, virtual_time)
     select $1, 'platform ' || n, 0 from generate_series(1, 40) n`,
    [orgId],
  );
  const client = await scans.sql.connect();
  try {
    await client.query('begin');
    await client.query(`select from virtual_times where org_id = $1 and platform = 'platform 1' for update`, [
      orgId,
    ]);
    await scans.query('insert into org_purges (org_id, requested_at) values ($1, now())', [orgId]);
    await eventually(async () => expect(await countRows()).toBe(1), { timeoutMs: 30_000 });
  } finally {
    await client.query('rollback');
    client.release();
  }
  await eventually(async () => expect(await countRows()).toBe(0), { timeoutMs: 30_000 });
});

test('a schedule run that is added while its brand is purged is deleted too, and a purged brand gets none', async () => {
  const [orgId, brandId] = [randomUUID(), randomUUID()];
  await scans.query(
    `insert into brands (id, org_id, is_own, created_at, updated_at, slot_second, version, name, domain, aliases,
       match, competitor_ids)
     values ($1, $2, true, now(), now(), 0, 1, 'Acme', 'acme.com', '{}', '{}', '{}')`,
    [brandId, orgId],
  );
  const listRuns = () => scans.query('select run_date from schedule_runs where brand_id = $1', [brandId]);
  const readRemoved = async () =>
    (await scans.query<{ removed: object }>('select removed from org_purges where org_id = $1', [orgId]))[0]
      ?.removed;
  const client = await scans.sql.connect();
  try {
    await client.query('begin');
    expect(await insertScheduleRun(client, brandId, '2026-11-21')).toBe(true);
    await scans.query('insert into org_purges (org_id, requested_at) values ($1, now())', [orgId]);
    // The purge comes to the brand, whose row the schedule holds.
    await waitUntilLocked(scans.sql, 'from brands%for update');
    await client.query('commit');
  } finally {
    client.release();
  }
  await eventually(async () => expect(await readRemoved()).toEqual({ schedule_runs: 1, brands: 1 }));
  expect(await listRuns()).toEqual([]);
  expect(await insertScheduleRun(scans.sql, brandId, '2026-11-22')).toBe(false);
  expect(await listRuns()).toEqual([]);
});
