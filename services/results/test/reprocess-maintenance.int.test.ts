import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { transaction } from '@bv/postgres';
import { eventually } from '@bv/testkit';
import { deleteOldReprocessJobs } from '../src/db/reprocess-jobs.ts';
import { createServicePool } from './check-windows.ts';
import { addTrackedBrands, reprocess, storeUnits, unreadUnit } from './reprocess.ts';
import { type Results, startResults } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
});
afterAll(() => results.stop());

/** Inserts a job that ended so many days ago, with rows of what it read. */
async function insertEndedJob(daysAgo: number, db: Pick<Results, 'query'> = results): Promise<string> {
  const id = randomUUID();
  // One statement: the maintenance of the running process must not see a part.
  await db.query(
    `with job as (
       insert into reprocess_jobs (id, org_id, brand_id, status, from_date, to_date, next_day, by_operator, request_id,
         started_at, completed_at)
       values ($1, $1, $1, 'completed', now(), now(), now(), false, 'r', now(), now() - make_interval(days => $2))),
     changes as (
       insert into reprocess_changes select $1, gen_random_uuid(), 'a', 'b' from generate_series(1, 9))
     insert into reprocess_units select $1, 1, gen_random_uuid(), '1' from generate_series(1, 9)`,
    [id, daysAgo],
  );
  return id;
}

test('ended jobs are deleted after 30 days, and what they read at once', async () => {
  const [old, recent] = [await insertEndedJob(31), await insertEndedJob(29)];
  const replica = await results.startReplica();
  const deleted = async (): Promise<void> => {
    const jobs = await results.query<{ id: string }>(
      'select id from reprocess_jobs where id = any($1::uuid[])',
      [[old, recent]],
    );
    expect(jobs).toEqual([{ id: recent }]);
    expect(await results.query('select 1 from reprocess_changes')).toEqual([]);
    expect(await results.query('select 1 from reprocess_units')).toEqual([]);
  };
  await eventually(deleted, { timeoutMs: 60_000 });
  await replica.stop();
});

test('an old job stays until the rows it read are deleted', async () => {
  const pool = createServicePool(results);
  // One transaction: the maintenance of the running process must not see the job.
  await transaction(pool, async (db) => {
    const old = await insertEndedJob(31, {
      query: async (text, values) => (await db.query(text, values)).rows,
    });
    const deleteJobs = () => deleteOldReprocessJobs(db, 30, 10);
    expect(await deleteJobs()).toBe(0);
    await db.query('delete from reprocess_units where job_id = $1', [old]);
    expect(await deleteJobs()).toBe(0);
    await db.query('delete from reprocess_changes where job_id = $1', [old]);
    expect(await deleteJobs()).toBe(1);
  });
  await pool.end();
});

test('metrics count units, changes and ended jobs', async () => {
  const tracked = await addTrackedBrands(results);
  await storeUnits(results, tracked, [
    unreadUnit(tracked),
    unreadUnit(tracked, { answer_text: 'x', country: 'DE' }),
  ]);
  const read = async (): Promise<Map<string, number>> => {
    const text = await (await fetch(`${results.monitoringUrl}/metrics`)).text();
    const lines = text.matchAll(/^(bv_results_reprocess_\w+(?:\{[^}]*status="(\w+)"[^}]*\})?)[^ ]* (\S+)$/gm);
    return new Map(
      Array.from(lines, ([, name = '', status, value]) => [
        `${name.split('{')[0]}${status === undefined ? '' : ` ${status}`}`,
        Number(value),
      ]),
    );
  };
  const before = await read();
  await reprocess(results, tracked.own);
  let after = await read();
  const growth = (name: string): number => (after.get(name) ?? NaN) - (before.get(name) ?? NaN);
  // The worker counts the end of a job after it has stored it.
  await eventually(async () => {
    after = await read();
    expect(growth('bv_results_reprocess_jobs_ended_total completed')).toBe(1);
  });
  expect(growth('bv_results_reprocess_units_total')).toBe(2);
  expect(growth('bv_results_reprocess_units_changed_total')).toBe(1);
  expect(growth('bv_results_reprocess_day_seconds_count')).toBe(1);
  expect(growth('bv_results_reprocess_jobs_ended_total failed')).toBe(0);
  expect(after.get('bv_results_reprocess_attempts_failed_total')).toBe(0);
  expect(after.has('bv_results_reprocess_jobs queued')).toBe(true);
  expect(after.has('bv_results_reprocess_oldest_seconds running')).toBe(true);
});
