import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@bv/testkit';
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
