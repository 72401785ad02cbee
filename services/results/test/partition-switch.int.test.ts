import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { transaction } from '@bv/postgres';
import { eventually } from '@bv/testkit';
import { createServicePool } from './check-windows.ts';
import { hasOldSnapshot } from '../src/db/partitioning.ts';
import { listUnitBrands } from '../src/db/unit-lists.ts';
import { createEarlierDatabase } from './earlier-database.ts';
import { checkCopies, isPartitioned } from './partition-copies.ts';
import {
  addTrackedBrands,
  checkAgreement,
  readFigures,
  storeUnits,
  type Tracked,
  unreadUnit,
} from './reprocess.ts';
import { type Results, startResults } from './results.ts';
import { lockBy, startWorkerProcess, type WorkerProcess } from './worker-process.ts';

let results: Results;
let tracked: Tracked;
let copying: WorkerProcess | undefined;
beforeEach(async () => {
  results = await startResults({ database: await createEarlierDatabase() });
  tracked = await addTrackedBrands(results);
  await storeUnits(results, tracked, [unreadUnit(tracked), unreadUnit(tracked, { run_date: '2026-11-18' })]);
}, 60_000);
afterEach(async () => {
  await copying?.end();
  await results.stop();
});

const start = (mode: string): WorkerProcess =>
  startWorkerProcess(results, { PARTITION_TABLES: mode, REPROCESS_SHARE_PERCENT: '0' });

const waitUntilCopied = (): Promise<void> =>
  eventually(
    async () => {
      expect(await results.query('select 1 from partitioning where copied_at is not null')).toHaveLength(1);
    },
    { timeoutMs: 120_000 },
  );
const waitUntilSwitched = (): Promise<void> =>
  eventually(async () => expect(await isPartitioned(results)).toBe(true), { timeoutMs: 120_000 });

test('`copy` copies every brand and does not switch; an earlier release goes on writing, and its rows are copied', async () => {
  copying = start('copy');
  await waitUntilCopied();
  await copying.end('SIGTERM');
  expect(await isPartitioned(results)).toBe(false);
  await checkCopies(results, { isComplete: true });
  // The statements of the release before.
  const id = randomUUID();
  const { own, prompt } = tracked;
  const inserted = await results.query(
    `insert into units (id, org_id, brand_id, prompt_id, platform, country, run_date, finalized_at, outcome, mentioned,
       position, cited, answer_truncated, localization, search_queries)
     values ($1, $2, $3, $4, 'claude', 'US', '2026-11-18', '2026-11-18', 'answered', true, 1, false, false, 'none', '{}')
     on conflict (id) do nothing returning id`,
    [id, own.org_id, own.id, prompt.id],
  );
  expect(inserted).toHaveLength(1);
  await results.query(
    `insert into unit_brands (unit_id, ordinal, brand_id, name, domain, is_own, mentioned, mention_count, position, cited)
     values ($1, 0, $2, 'Acme', 'acme.com', true, true, 1, 1, false)`,
    [id, own.id],
  );
  await results.query(
    `insert into unit_sources (unit_id, position, url, domain, cited) values ($1, 1, 'https://x.org/', 'x.org', true)
     on conflict (unit_id, position) do nothing`,
    [id],
  );
  await checkCopies(results, { isComplete: true });
  await results.query('delete from unit_sources where unit_id = any ($1)', [[id]]);
  await results.query('update unit_brands set mention_count = 2 where unit_id = $1', [id]);
  await checkCopies(results, { isComplete: true });
  expect(await results.query('select 1 from partitioned_unit_brands where mention_count = 2')).toHaveLength(
    1,
  );
  await results.query(
    `with sources as (delete from unit_sources where unit_id = any ($1)),
       brands as (delete from unit_brands where unit_id = any ($1))
     delete from units where id = any ($1)`,
    [
      await results
        .query<{ id: string }>('select id from units')
        .then((rows) => rows.map(({ id: unit }) => unit)),
    ],
  );
  await checkCopies(results, { isComplete: true });
  expect(await results.query('select 1 from partitioned_unit_brands')).toEqual([]);
}, 300_000);

test('a snapshot from before the end of the copy reads the same after it: the switch waits for its end', async () => {
  const pool = createServicePool(results);
  const [unit] = await results.query<{ id: string }>('select id from units where brand_id = $1', [
    tracked.own.id,
  ]);
  const readBrands = () =>
    transaction(
      pool,
      async (tx) => {
        await tx.query('select 1');
        copying = start('switch');
        await waitUntilCopied();
        expect(await hasOldSnapshot(pool)).toBe(true);
        return listUnitBrands(tx, tracked.own.id, [unit!.id]);
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  expect(await readBrands()).toHaveLength(2);
  await waitUntilSwitched();
  expect(await listUnitBrands(pool, tracked.own.id, [unit!.id])).toHaveLength(2);
  await pool.end();
}, 300_000);

test('a transaction that holds a table postpones the switch, while reads go on', async () => {
  const expected = await readFigures(results, tracked);
  const holder = await lockBy(results, 'lock table window_scores in access share mode');
  copying = start('switch');
  await waitUntilCopied();
  // Tables that the switch has locked are free again after its wait.
  await holder.reached('switch_to_partitioned_tables');
  expect(await readFigures(results, tracked)).toEqual(expected);
  await holder.reached('switch_to_partitioned_tables');
  expect(await isPartitioned(results)).toBe(false);
  await holder.release();
  await waitUntilSwitched();
  expect(await readFigures(results, tracked)).toEqual(expected);
  await checkAgreement(results, tracked.own, [tracked.rival]);
}, 300_000);
