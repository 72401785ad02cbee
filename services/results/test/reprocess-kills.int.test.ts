import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findBrandRpc, serveRpc } from '@bv/events';
import { eventually } from '@bv/testkit';
import {
  addTrackedBrands,
  checkAgreement,
  readFigures,
  readJob,
  reprocess,
  requestReprocess,
  storeUnits,
  type Tracked,
  unreadUnit,
  waitForStatus,
} from './reprocess.ts';
import { type Results, startResults } from './results.ts';
import { lockBy, startWorkerProcess } from './worker-process.ts';

let results: Results;
beforeAll(async () => {
  // Only the processes of the tests have a worker.
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '0' } });
});
afterAll(() => results.stop());

const days = ['2026-11-18', '2026-11-19', '2026-11-20'];

async function seed(): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  const source = (domain: string) => ({
    position: 1,
    url: `https://${domain}/`,
    domain,
    title: null,
    cited: true,
  });
  await storeUnits(
    results,
    tracked,
    days.flatMap((run_date) => [
      unreadUnit(tracked, {
        run_date,
        answer_text: 'Acme is good. Rival is bad.',
        sources: [source('acme.com')],
      }),
      unreadUnit(tracked, {
        run_date,
        answer_text: 'Rival alone.',
        country: 'DE',
        sources: [source('x.org')],
      }),
    ]),
  );
  return tracked;
}

/** What clients read, without ids. */
async function readWithoutIds(tracked: Tracked) {
  const figures = JSON.stringify(await readFigures(results, tracked));
  return JSON.parse(
    figures
      .replaceAll(tracked.own.id, 'own')
      .replaceAll(tracked.rival.id, 'rival')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id'),
  ) as { results: unknown[]; mentions: unknown[]; shares: { brand_id: string; rank: number }[] };
}

/** The same, in an order that does not depend on ids. */
async function readSorted(tracked: Tracked) {
  const figures = await readWithoutIds(tracked);
  const sorted = (rows: unknown[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();
  return {
    ...figures,
    results: sorted(figures.results),
    mentions: sorted(figures.mentions),
    shares: sorted(figures.shares),
  };
}

type Figures = Awaited<ReturnType<typeof readSorted>>;
let expected: Figures;
beforeAll(async () => {
  const control = await seed();
  const worker = startWorkerProcess(results);
  await reprocess(results, control.own);
  await worker.end();
  expected = await readSorted(control);
  expect(expected.results.join()).toContain('"evidence":[{');
});

/** Finishes the job with another worker, and compares the outcome with a run without a kill. */
async function finish(tracked: Tracked, job: Awaited<ReturnType<typeof requestReprocess>>): Promise<void> {
  const survivor = startWorkerProcess(results);
  const { units } = await waitForStatus(results, tracked.own, job);
  await survivor.end();
  expect(units).toEqual({ total: 6, done: 6, changed: 6 });
  expect(await readSorted(tracked)).toEqual(expected);
  await checkAgreement(results, tracked.own, [tracked.rival]);
  expect(await results.query('select 1 from reprocess_units where job_id = $1', [job.job_id])).toEqual([]);
}

const brandToken = 'select 1 from brand_tokens where brand_id = $1 for update';
/** Not the newest day: the worker waits there when a day is done. */
const unitsOfDay = `select 1 from units where brand_id = $1 and run_date = '2026-11-19' for no key update`;

test.each<[string, string, string, number]>([
  ['before it has an identity', 'lock table answered_days', 'answered_days', 0],
  ['while it stores the identity', brandToken, 'from brand_tokens', 0],
  [
    'while it stores what it read',
    'lock table reprocess_units in share mode',
    'insert into reprocess_units',
    0,
  ],
  ['while it replaces a day', 'lock table scores in share mode', 'insert into scores', 0],
  ['after one day', unitsOfDay, 'update units', 2],
])(
  'a worker is killed %s: another one ends the job with the same figures',
  async (_at, lock, statement, done) => {
    const tracked = await seed();
    const { own } = tracked;
    const job = await requestReprocess(results, own);
    const barrier = await lockBy(results, lock, lock.includes('$1') ? [own.id] : []);
    const worker = startWorkerProcess(results);
    await barrier.reached(statement);
    expect((await readJob(results, job, own.org_id)).units.done).toBe(done);
    await worker.end();
    await barrier.release();
    await finish(tracked, job);
  },
  120_000,
);

test('a worker is killed before it replaces a day: another one ends the job with the same figures', async () => {
  const tracked = await seed();
  const job = await requestReprocess(results, tracked.own);
  const first = await lockBy(results, 'lock table reprocess_units in share mode');
  const worker = startWorkerProcess(results);
  await first.reached('insert into reprocess_units');
  const second = await lockBy(results, brandToken, [tracked.own.id]);
  await first.release();
  await second.reached('from brand_tokens');
  await worker.end();
  await second.release();
  await finish(tracked, job);
}, 120_000);

test('a worker is killed before it counts the day: another one ends the job with the same figures', async () => {
  const tracked = await seed();
  const job = await requestReprocess(results, tracked.own);
  const first = await lockBy(results, 'lock table scores in share mode');
  const worker = startWorkerProcess(results);
  await first.reached('insert into scores');
  const second = await lockBy(results, 'select 1 from reprocess_jobs where id = $1 for update', [job.job_id]);
  await first.release();
  await second.reached('next_day = $3');
  await worker.end();
  await second.release();
  await finish(tracked, job);
}, 120_000);

test('a worker is killed at the end of the window: another one ends the job', async () => {
  const tracked = await seed();
  const { own, rival } = tracked;
  const job = await requestReprocess(results, own);
  let requests = 0;
  const catalog = serveRpc(
    results.connection,
    findBrandRpc,
    async ({ id }) => {
      if (id === own.id) requests += 1;
      // The second time is after the last day.
      if (requests > 1) await new Promise(() => undefined);
      return { version: 1, data: id === own.id ? own : rival };
    },
    { queue: 'catalog', log: results.log },
  );
  const worker = startWorkerProcess(results);
  await eventually(() => expect(requests).toBe(2));
  expect((await readJob(results, job, own.org_id)).units).toMatchObject({ total: 6, done: 6 });
  await worker.end();
  // Its handler never replies, so a stop that waits for it would not end.
  void catalog.stop();
  await finish(tracked, job);
}, 120_000);

test('a worker that is stopped in order gives the job back at once, and its attempt is not counted', async () => {
  const tracked = await seed();
  const { own } = tracked;
  const job = await requestReprocess(results, own);
  const barrier = await lockBy(results, unitsOfDay, [own.id]);
  const worker = startWorkerProcess(results);
  await barrier.reached('update units');
  const ended = worker.end('SIGTERM');
  await barrier.release();
  await ended;
  const [row] = await results.query(
    `select status, attempts, leased_until <= clock_timestamp() as is_due from reprocess_jobs where id = $1`,
    [job.job_id],
  );
  expect(row).toEqual({ status: 'running', attempts: 0, is_due: true });
  await finish(tracked, job);
}, 120_000);
