import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { listScores } from '@bv/contract';
import { eventually, waitUntilLocked } from '@bv/testkit';
import type { Brand } from './events.ts';
import {
  addTrackedBrands,
  checkAgreement,
  readFigures,
  readJob,
  readResults,
  requestReprocess,
  storeUnits,
  type Tracked,
  unreadUnit,
  waitForStatus,
} from './reprocess.ts';
import { type Results, startResults, toBrandParams } from './results.ts';
import { lockBy, startWorkerProcess, type WorkerProcess } from './worker-process.ts';

let results: Results;
const workers: WorkerProcess[] = [];
type Replica = Awaited<ReturnType<Results['startReplica']>>;
const replicas: Replica[] = [];
beforeAll(async () => {
  // Only the workers of the tests run jobs.
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '0' } });
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.end();
  for (const replica of replicas.splice(0)) await replica.stop();
});
afterAll(() => results.stop());

/** A worker in this process. */
async function startWorker(): Promise<Replica> {
  const replica = await results.startReplica({ REPROCESS_SHARE_PERCENT: '100' });
  replicas.push(replica);
  return replica;
}

/** A worker in its own process, for one that is killed or suspended. */
function spawnWorker(settings: Record<string, string> = {}): WorkerProcess {
  const worker = startWorkerProcess(results, settings);
  workers.push(worker);
  return worker;
}

const text = 'Acme is good. Rival is bad.';

/** Two answers of each day; one names the own brand. */
async function seed(days: readonly string[] = ['2026-11-19', '2026-11-20']): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  await storeUnits(
    results,
    tracked,
    days.flatMap((run_date) => [
      unreadUnit(tracked, { run_date, answer_text: text }),
      unreadUnit(tracked, { run_date, answer_text: 'Rival alone.', country: 'DE' }),
    ]),
  );
  return tracked;
}

/** Checks that the job has the outcome of one run, whatever happened to its workers. */
async function checkOutcome(tracked: Tracked): Promise<void> {
  for (const { country, brands } of await readResults(results, tracked.prompt)) {
    expect(brands.map(({ position }) => position)).toEqual(country === 'DE' ? [null, 1] : [1, 2]);
  }
  await checkAgreement(results, tracked.own, [tracked.rival]);
}

const readRates = async (own: Brand) =>
  (await results.call(listScores, { params: toBrandParams(own) })).data.map(
    ({ mention_rate }) => mention_rate,
  );

test.each(['reprocess.day_replaced', 'reprocess.day_committed'])(
  'a worker is killed at %s: another one ends the job with the outcome of one run',
  async (point) => {
    const tracked = await seed();
    const job = await requestReprocess(results, tracked.own);
    await spawnWorker({ CRASH_AT: point, NODE_ENV: 'test' }).killed();
    const isDone = point === 'reprocess.day_committed';
    expect((await readJob(results, job, tracked.own.org_id)).units.done).toBe(isDone ? 2 : 0);
    expect(await readRates(tracked.own)).toEqual([0, isDone ? 50 : 0]);
    await startWorker();
    const { units } = await waitForStatus(results, tracked.own, job);
    expect(units).toEqual({ total: 4, done: 4, changed: 4 });
    await checkOutcome(tracked);
  },
  120_000,
);

test('a worker that is stopped in order gives the job back at once, and its attempt is not counted', async () => {
  const { own } = await seed();
  const job = await requestReprocess(results, own);
  const barrier = await lockBy(results, 'lock table scores in share mode');
  const worker = await startWorker();
  await barrier.reached('insert into scores');
  const stopped = worker.stop();
  await barrier.release();
  await stopped;
  const [row] = await results.query(
    `select status, attempts, leased_until <= clock_timestamp() as is_due from reprocess_jobs where id = $1`,
    [job.job_id],
  );
  expect(row).toEqual({ status: 'running', attempts: 0, is_due: true });
}, 120_000);

test('a worker that continues in the transaction of a day after its lease was lost writes nothing', async () => {
  const tracked = await seed();
  const { own } = tracked;
  const job = await requestReprocess(results, own);
  const barrier = await lockBy(results, 'lock table scores in share mode');
  const suspended = spawnWorker();
  await barrier.reached('insert into scores');
  suspended.signal('SIGSTOP');
  await barrier.release();
  await startWorker();
  // The transaction of the suspended worker holds the token.
  await waitUntilLocked(results.sql, 'from brand_tokens');
  suspended.signal('SIGCONT');
  const { units } = await waitForStatus(results, own, job);
  expect(units).toEqual({ total: 4, done: 4, changed: 4 });
  await checkOutcome(tracked);
}, 120_000);

test('readers see a day before or after it is replaced', async () => {
  const tracked = await seed();
  const before = await readFigures(results, tracked);
  const barrier = await lockBy(results, 'lock table scores in share mode');
  const job = await requestReprocess(results, tracked.own);
  await startWorker();
  // Its brand rows are replaced, and its scores are not.
  await barrier.reached('insert into scores');
  expect(await readFigures(results, tracked)).toEqual(before);
  await barrier.release();
  await waitForStatus(results, tracked.own, job);
  await checkOutcome(tracked);
}, 120_000);

/** Rejects the scores of a day, as a full or faulty table would. */
const rejectScores = (own: Brand, day: string) =>
  results.query(
    `alter table scores add constraint reject check (brand_id <> '${own.id}' or run_date <> '${day}') not valid`,
  );
const acceptScores = () => results.query('alter table scores drop constraint reject');

test('a job whose day fails five times is failed: days that are done stay, the others are as before', async () => {
  const { own } = await seed();
  await rejectScores(own, '2026-11-20');
  await startWorker();
  const job = await requestReprocess(results, own);
  const failed = await eventually(
    async () => {
      // The day is due again at once, without the delay after a failed attempt.
      await results.query('update reprocess_jobs set leased_until = now() where id = $1', [job.job_id]);
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
  expect(await readRates(own)).toEqual([0, 50]);
  await acceptScores();
  const next = await waitForStatus(results, own, await requestReprocess(results, own));
  expect(next.units).toEqual({ total: 4, done: 4, changed: 2 });
  expect(await readRates(own)).toEqual([50, 50]);
}, 120_000);

test('a day that fails at first is done when it can be', async () => {
  const { own } = await seed();
  await rejectScores(own, '2026-11-19');
  await startWorker();
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

test('a job of one day ends before an earlier one of many days, with one worker', async () => {
  const long = await seed(['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']);
  const short = await seed(['2026-11-20']);
  const longJob = await requestReprocess(results, long.own);
  const shortJob = await requestReprocess(results, short.own);
  await startWorker();
  const last = await waitForStatus(results, long.own, longJob);
  const first = await waitForStatus(results, short.own, shortJob);
  expect(Date.parse(first.completed_at!)).toBeLessThan(Date.parse(last.completed_at!));
}, 120_000);
