import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operatorReprocessBrands } from '@bv/contract';
import { findOrgRpc, serveRpc } from '@bv/events';
import { eventually, waitUntilLocked } from '@bv/testkit';
import { jobData } from './events.ts';
import {
  addTrackedBrands,
  readResults,
  reprocess,
  requestReprocess,
  storeUnits,
  type Tracked,
  unreadUnit,
  waitForStatus,
} from './reprocess.ts';
import { type Results, startResults } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
});
afterAll(() => results.stop());

async function seed(): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  const source = { position: 1, url: 'https://acme.com/', domain: 'acme.com', title: null, cited: true };
  await storeUnits(
    results,
    tracked,
    ['2026-11-19', '2026-11-20'].map((run_date) => unreadUnit(tracked, { run_date, sources: [source] })),
  );
  return tracked;
}

test('a unit that was finalised long before, and arrives after its day is done, is read at the end', async () => {
  const tracked = await seed();
  const { own, prompt } = tracked;
  const client = await results.sql.connect();
  await client.query('begin');
  await client.query(
    `select 1 from units where brand_id = $1 and run_date = '2026-11-19' for no key update`,
    [own.id],
  );
  const job = await requestReprocess(results, own);
  await waitUntilLocked(results.sql, 'update units');
  await results.emitUnit(unreadUnit(tracked, { country: 'DE', finalized_at: '2026-11-20T00:00:00Z' }));
  // The job holds the lock of the change token, so the unit is stored after the older day is done.
  await waitUntilLocked(results.sql, 'insert into brand_tokens');
  await client.query('rollback');
  client.release();
  expect((await waitForStatus(results, own, job)).units).toMatchObject({ total: 2, done: 2, changed: 3 });
  const found = (await readResults(results, prompt)).map(({ mentioned }) => mentioned);
  expect(found).toEqual([true, true, true]);
});

test('the first unit of a new day is read if it is committed while the job begins', async () => {
  const tracked = await seed();
  const { own, prompt } = tracked;
  const client = await results.sql.connect();
  await client.query('begin');
  await client.query('lock table scores in share mode');
  const job_id = randomUUID();
  const scan = { run_date: '2026-11-21', units: { total: 1, answered: 1, no_answer: 0, failed: 0 } };
  await results.emitJob(jobData(own, job_id, scan));
  await results.emitUnit(unreadUnit(tracked, { run_date: '2026-11-21', job_id }));
  // The unit is stored, and its scan is scored before the commit.
  await waitUntilLocked(results.sql, 'insert into scores');
  const job = await requestReprocess(results, own);
  await waitUntilLocked(results.sql, 'from brand_tokens');
  await client.query('rollback');
  client.release();
  expect((await waitForStatus(results, own, job)).units).toEqual({ total: 3, done: 3, changed: 3 });
  const found = (await readResults(results, prompt)).map(({ mentioned }) => mentioned);
  expect(found).toEqual([true, true, true]);
});

test('a day that was replaced does not count as one with new answers', async () => {
  const tracked = await seed();
  const { units } = await reprocess(results, tracked.own);
  expect(units).toEqual({ total: 2, done: 2, changed: 2 });
  // The sources are recomputed, and leave no day that looks new.
  expect(
    await results.query('select 1 from answered_days where brand_id = $1 and stored_at is not null', [
      tracked.own.id,
    ]),
  ).toEqual([]);
});

test('a job of the operator reads nothing of a deleted organisation', async () => {
  const tracked = await seed();
  const { own, prompt } = tracked;
  // The request finds the organisation, and the worker does not.
  let requests = 0;
  const catalog = serveRpc(
    results.connection,
    findOrgRpc,
    async ({ id }) => ({
      version: (requests += 1),
      data: {
        id,
        name: 'Acme',
        tier: 'scale' as const,
        api_access: true,
        on_demand_scans: true,
        limits: { prompts: 1, own_brands: 1, countries: 1, competitors_per_brand: 1, manual_scans: 1 },
        created_at: '2026-11-20T10:00:00Z',
        updated_at: '2026-11-20T10:00:00Z',
        deleted_at: requests > 1 ? '2026-11-20T10:00:00Z' : null,
      },
    }),
    { queue: 'catalog', log: results.log },
  );
  await results.connection.connection.flush();
  const { data } = await results.call(operatorReprocessBrands, { body: { org_id: own.org_id } });
  expect(data.queued).toBe(1);
  await eventually(async () => {
    const [job] = await results.query('select status, units_done from reprocess_jobs where brand_id = $1', [
      own.id,
    ]);
    expect(job).toEqual({ status: 'completed', units_done: 0 });
  });
  expect((await readResults(results, prompt)).map(({ mentioned }) => mentioned)).toEqual([false, false]);
  await catalog.stop();
});
