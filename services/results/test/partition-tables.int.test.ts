import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operatorDeleteBrandUnits } from '@bv/contract';
import { eventually } from '@bv/testkit';
import { createEarlierDatabase } from './earlier-database.ts';
import { importLine } from './events.ts';
import { checkCopies, checkSwitched, countRows, isPartitioned } from './partition-copies.ts';
import {
  addTrackedBrands,
  checkAgreement,
  importLines,
  readFigures,
  reprocess,
  storeUnits,
  type Tracked,
  unreadUnit,
} from './reprocess.ts';
import { type Results, startResults } from './results.ts';
import { startWorkerProcess } from './worker-process.ts';

let results: Results;
beforeEach(async () => {
  results = await startResults({
    database: await createEarlierDatabase(),
    env: { REPROCESS_SHARE_PERCENT: '100' },
  });
}, 60_000);
afterEach(() => results.stop());

const source = (domain: string, position = 1) => ({
  position,
  url: `https://${domain}/`,
  domain,
  title: null,
  cited: true,
});

/** Adds a brand with scanned and imported units. */
async function addHistory(): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  const units = ['2026-11-17', '2026-11-18'].flatMap((run_date) =>
    ['US', 'DE'].map((country) =>
      unreadUnit(tracked, {
        run_date,
        country,
        answer_text: 'Acme is good. Rival is bad.',
        sources: [source('acme.com'), source('x.org', 2)],
      }),
    ),
  );
  await storeUnits(results, tracked, units);
  await importLines(results, tracked, [importLine(tracked.prompt), importLine(tracked.prompt)]);
  return tracked;
}

/** More rows than a page of the copy holds, in several tables. */
async function addLongHistory(): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  const lines = Array.from({ length: 1_200 }, (_, index) =>
    importLine(tracked.prompt, {
      run_date: `2026-11-1${index % 3}`,
      brands: [{ brand_id: tracked.own.id, position: 1 + (index % 5), sentiment: 50 }],
      sources: [{ url: `https://s${index % 180}.org/${index}`, cited: true }],
    }),
  );
  await importLines(results, tracked, lines);
  return tracked;
}

const addUnit = (tracked: Tracked, overrides: Record<string, unknown> = {}): Promise<void> =>
  importLines(results, tracked, [
    importLine(tracked.prompt, {
      sources: [{ url: `https://x.org/${randomUUID()}`, cited: true }],
      ...overrides,
    }),
  ]);

const deleteImported = ({ own }: Tracked, day: string) =>
  results.call(operatorDeleteBrandUnits, {
    params: { brandId: own.id },
    body: { from: day, to: day, import_only: true },
  });

const check = ({ own, rival }: Tracked): Promise<void> => checkAgreement(results, own, [rival]);

const waitUntilSwitched = (): Promise<void> =>
  eventually(async () => expect(await isPartitioned(results)).toBe(true), { timeoutMs: 240_000 });

const failpoints = [
  'partitions.table_created',
  'partitions.started',
  'partitions.page_copied',
  'partitions.page_committed',
  'partitions.copied',
  'partitions.exchanged',
  'partitions.switched',
];

test('a process that copies is killed at each step: pages stay as they are, and the next process goes on', async () => {
  const quiet = await addHistory();
  const busy = await addHistory();
  const long = await addLongHistory();
  const [expected, expectedOfLong] = [await readFigures(results, quiet), await readFigures(results, long)];
  for (const [index, name] of failpoints.entries()) {
    const extra = {
      PARTITION_TABLES: 'switch',
      CRASH_AT: name,
      NODE_ENV: 'test',
      REPROCESS_SHARE_PERCENT: '0',
    };
    await startWorkerProcess(results, extra).killed();
    const isSwitched = name === 'partitions.switched';
    expect([name, await isPartitioned(results)]).toEqual([name, isSwitched]);
    if (isSwitched) await checkSwitched(results);
    else if (index > 0) await checkCopies(results, { isComplete: index > 3 });
    expect(await readFigures(results, quiet)).toEqual(expected);
    expect(await readFigures(results, long)).toEqual(expectedOfLong);
    // Every kind of change: new units on new and on stored days, deleted units, replaced brands.
    await addUnit(busy, { run_date: `2026-11-0${index + 1}` });
    await addUnit(busy);
    if (index % 2 === 0) await deleteImported(busy, '2026-11-19');
    await storeUnits(results, busy, [unreadUnit(busy, { run_date: '2026-11-20', answer_text: 'Acme.' })]);
    await reprocess(results, busy.own);
    await check(busy);
    if (isSwitched) continue;
    if (index > 0) await checkCopies(results, { isComplete: index > 3 });
  }
  await check(quiet);
}, 600_000);

test('pages, imports, deletions, scans and reprocess jobs go on while two processes copy and switch', async () => {
  const quiet = await addHistory();
  const long = await addLongHistory();
  const busy = await addHistory();
  const expected = await readFigures(results, quiet);
  const before = await countRows(results);
  const copying = [1, 2].map(() =>
    startWorkerProcess(results, { PARTITION_TABLES: 'switch', REPROCESS_SHARE_PERCENT: '0' }),
  );
  const stopCatalog = await results.serveCatalog([
    quiet.own,
    quiet.rival,
    long.own,
    long.rival,
    busy.own,
    busy.rival,
  ]);
  let [reads, imported] = [0, 0];
  let isSwitched = false;
  const read = async (): Promise<void> => {
    while (!isSwitched) {
      expect(await readFigures(results, quiet)).toEqual(expected);
      reads += 1;
    }
  };
  const write = async (): Promise<void> => {
    while (!isSwitched) {
      await addUnitOnly();
      imported += 1;
      if (imported % 5 === 0) await deleteImported(busy, '2026-11-19');
      if (imported % 7 === 0) await reprocess(results, busy.own);
    }
  };
  const addUnitOnly = () => importLines(results, long, [importLine(long.prompt, { run_date: '2026-11-15' })]);
  const traffic = [read(), write()];
  await waitUntilSwitched().finally(() => {
    isSwitched = true;
  });
  await Promise.all(traffic);
  await stopCatalog();
  await Promise.all(copying.map((process) => process.end('SIGTERM')));
  expect([reads > 0, imported > 0]).toEqual([true, true]);
  const after = await countRows(results);
  expect(after['units']).toBe(before['units']! + imported - (imported >= 5 ? 2 : 0));
  for (const tracked of [quiet, long, busy]) await check(tracked);
}, 600_000);
