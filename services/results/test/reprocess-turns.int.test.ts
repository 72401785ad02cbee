import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findBrandRpc, serveRpc } from '@bv/events';
import { eventually } from '@bv/testkit';
import {
  addTrackedBrands,
  readResults,
  requestReprocess,
  reprocess,
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

async function seed(days: readonly string[]): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  await storeUnits(
    results,
    tracked,
    days.map((run_date) => unreadUnit(tracked, { run_date, answer_text: 'Acme is good. Apex 0 is fast.' })),
  );
  return tracked;
}

const readRestarts = async (jobId: string): Promise<number> => {
  const rows = await results.query<{ restarts: number }>(
    'select restarts from reprocess_jobs where id = $1',
    [jobId],
  );
  return rows[0]!.restarts;
};

test('jobs take turns: one of few days ends before an earlier one of many days', async () => {
  const long = await seed(['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']);
  const short = await seed(['2026-11-20']);
  // Stops the first job in its newest day until both are queued.
  const client = await results.sql.connect();
  await client.query('begin');
  await client.query('lock table reprocess_units in share mode');
  const longJob = await requestReprocess(results, long.own);
  await waitForStatus(results, long.own, longJob, 'running');
  const shortJob = await requestReprocess(results, short.own);
  await client.query('rollback');
  client.release();
  const first = await waitForStatus(results, short.own, shortJob);
  const last = await waitForStatus(results, long.own, longJob);
  expect(Date.parse(first.completed_at!)).toBeLessThan(Date.parse(last.completed_at!));
});

test('a job whose brand changes all the time stops no other one, and ends with the newest brand', async () => {
  const changing = await seed(['2026-11-19', '2026-11-20']);
  const steady = await seed(['2026-11-20']);
  let version = 1;
  let isChanging = true;
  const catalog = serveRpc(
    results.connection,
    findBrandRpc,
    async ({ id }) => {
      if (id === changing.own.id && isChanging) version += 1;
      const named = { ...changing.own, name: isChanging ? `Other ${version}` : 'Apex 0' };
      const brands = [named, changing.rival, steady.own, steady.rival];
      const data = brands.find((brand) => brand.id === id);
      return data === undefined ? null : { version: id === changing.own.id ? version : 1, data };
    },
    { queue: 'catalog', log: results.log },
  );
  await results.connection.connection.flush();
  const job = await requestReprocess(results, changing.own);
  await eventually(async () => expect(await readRestarts(job.job_id)).toBeGreaterThanOrEqual(2));
  expect((await reprocess(results, steady.own)).units).toEqual({ total: 1, done: 1, changed: 1 });
  await waitForStatus(results, changing.own, job, 'running');
  isChanging = false;
  version += 1;
  const { units } = await waitForStatus(results, changing.own, job);
  expect(units).toEqual({ total: 2, done: 2, changed: 2 });
  const names = (await readResults(results, changing.prompt)).flatMap(({ brands }) =>
    brands.filter(({ mentioned }) => mentioned).map(({ name }) => name),
  );
  expect(names).toEqual(['Apex 0', 'Apex 0']);
  await catalog.stop();
});
