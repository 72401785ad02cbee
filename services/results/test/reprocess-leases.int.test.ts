import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { listScores } from '@bv/contract';
import { eventually, waitUntilLocked } from '@bv/testkit';
import type { Brand } from './events.ts';
import {
  addTrackedBrands,
  checkAgreement,
  readFigures,
  readJob,
  requestReprocess,
  storeUnits,
  unreadUnit,
  waitForStatus,
} from './reprocess.ts';
import { type Results, startResults, toBrandParams } from './results.ts';
import { lockBy, startWorkerProcess, type WorkerProcess } from './worker-process.ts';

let results: Results;
const workers: WorkerProcess[] = [];
beforeAll(async () => {
  // Only the processes of the tests have a worker.
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '0' } });
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.end();
});
afterAll(() => results.stop());

function startWorker(): WorkerProcess {
  const worker = startWorkerProcess(results);
  workers.push(worker);
  return worker;
}

const days = ['2026-11-19', '2026-11-20'];

async function seed() {
  const tracked = await addTrackedBrands(results);
  await storeUnits(
    results,
    tracked,
    days.flatMap((run_date) => ['DE', 'US'].map((country) => unreadUnit(tracked, { run_date, country }))),
  );
  return tracked;
}

const readRates = async (own: Brand) =>
  (await results.call(listScores, { params: toBrandParams(own) })).data.map(
    ({ mention_rate }) => mention_rate,
  );

test.each([
  ['while it reads', 'lock table reprocess_units in share mode', 'insert into reprocess_units'],
  // Postgres ends its session, which is idle in a transaction, after 30 s.
  ['while it replaces a day', 'lock table scores in share mode', 'insert into scores'],
])(
  'a worker that is suspended %s beyond its lease writes nothing more',
  async (_when, lock, statement) => {
    const tracked = await seed();
    const { own, rival } = tracked;
    const job = await requestReprocess(results, own);
    const barrier = await lockBy(results, lock);
    const suspended = startWorker();
    await barrier.reached(statement);
    suspended.signal('SIGSTOP');
    await barrier.release();
    const other = startWorker();
    const completed = await eventually(
      async () => {
        const current = await readJob(results, job, own.org_id);
        expect(current).toMatchObject({ status: 'completed', units: { total: 4, done: 4, changed: 4 } });
        return current;
      },
      { timeoutMs: 90_000 },
    );
    const figures = await readFigures(results, tracked);
    await other.end();
    suspended.signal('SIGCONT');
    // It still works: the next job is its own.
    const next = await waitForStatus(results, own, await requestReprocess(results, own));
    expect(next.units).toEqual({ total: 4, done: 4, changed: 0 });
    expect(await readJob(results, job, own.org_id)).toEqual(completed);
    expect(await readFigures(results, tracked)).toEqual(figures);
    expect(await results.query('select 1 from reprocess_units')).toEqual([]);
    await checkAgreement(results, own, [rival]);
  },
  180_000,
);

test('a worker that continues in the transaction of a day after its lease was lost writes nothing', async () => {
  const tracked = await seed();
  const { own, rival } = tracked;
  const job = await requestReprocess(results, own);
  const barrier = await lockBy(results, 'lock table scores in share mode');
  const suspended = startWorker();
  await barrier.reached('insert into scores');
  suspended.signal('SIGSTOP');
  await barrier.release();
  startWorker();
  // The transaction of the suspended worker holds the token.
  await waitUntilLocked(results.sql, 'from brand_tokens');
  suspended.signal('SIGCONT');
  const { units } = await waitForStatus(results, own, job);
  expect(units).toEqual({ total: 4, done: 4, changed: 4 });
  await checkAgreement(results, own, [rival]);
}, 120_000);

/** Rejects the scores of a day, as a full or faulty table would. */
const rejectScores = (own: Brand, day: string) =>
  results.query(
    `alter table scores add constraint reject check (brand_id <> '${own.id}' or run_date <> '${day}') not valid`,
  );
const acceptScores = () => results.query('alter table scores drop constraint reject');

test('a job whose day fails five times is failed: days that are done stay, the others are as before', async () => {
  const { own } = await seed();
  await rejectScores(own, '2026-11-19');
  startWorker();
  const job = await requestReprocess(results, own);
  const failed = await eventually(
    async () => {
      const current = await readJob(results, job, own.org_id);
      expect(current.status).toBe('failed');
      return current;
    },
    { timeoutMs: 60_000 },
  );
  expect(failed).toMatchObject({
    units: { total: 4, done: 2, changed: 2 },
    completed_at: expect.any(String),
  });
  expect(await readRates(own)).toEqual([100, 0]);
  await acceptScores();
  const next = await waitForStatus(results, own, await requestReprocess(results, own));
  expect(next.units).toEqual({ total: 4, done: 4, changed: 2 });
  expect(await readRates(own)).toEqual([100, 100]);
}, 120_000);

test('a day that fails at first is done when it can be', async () => {
  const { own } = await seed();
  await rejectScores(own, '2026-11-20');
  startWorker();
  const job = await requestReprocess(results, own);
  await eventually(async () => {
    const [row] = await results.query<{ attempts: number }>(
      'select attempts from reprocess_jobs where id = $1',
      [job.job_id],
    );
    expect(row?.attempts).toBeGreaterThanOrEqual(2);
  });
  await acceptScores();
  expect((await waitForStatus(results, own, job)).units).toEqual({ total: 4, done: 4, changed: 4 });
}, 120_000);
