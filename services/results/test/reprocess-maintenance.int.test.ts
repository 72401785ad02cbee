import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callRpc, statusRpc } from '@bv/events';
import { eventually } from '@bv/testkit';
import pg from 'pg';
import { addTrackedBrands, reprocess, storeUnits, unreadUnit } from './reprocess.ts';
import { type Results, startResults } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
});
afterAll(() => results.stop());

test('ended jobs are deleted after 30 days', async () => {
  const ids = await Promise.all(
    [31, 29].map(async (daysAgo) => {
      const [job] = await results.query<{ id: string }>(
        `insert into reprocess_jobs (id, org_id, brand_id, status, from_date, to_date, by_operator, request_id, completed_at)
         select id, id, id, 'completed', now(), now(), false, 'r', now() - make_interval(days => $1)
         from gen_random_uuid() id returning id`,
        [daysAgo],
      );
      return job?.id;
    }),
  );
  const replica = await results.startReplica();
  await eventually(
    async () => {
      const kept = await results.query('select id from reprocess_jobs where id = any($1::uuid[])', [ids]);
      expect(kept).toEqual([{ id: ids[1] }]);
    },
    { timeoutMs: 60_000 },
  );
  await replica.stop();
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

test('the status shows the other queues while a table of brands does not reply', async () => {
  const readQueues = async () => {
    const { queues } = await callRpc(results.connection, statusRpc('results'), {});
    return queues.map(({ name }) => name);
  };
  expect(await readQueues()).toEqual(['outbox', 'reprocess jobs', 'brands with expired rows']);
  const holder = new pg.Client({ connectionString: results.database.url });
  await holder.connect();
  await holder.query('begin; lock table brand_tokens');
  expect(await readQueues()).toEqual(['outbox', 'reprocess jobs']);
  await holder.end();
});
