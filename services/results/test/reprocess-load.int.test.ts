import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { operatorDeleteBrandUnits } from '@bv/contract';
import { importLine, jobData, type Unit } from './events.ts';
import {
  addTrackedBrands,
  checkAgreement,
  importLines,
  readResults,
  reprocess,
  storeUnits,
  type Tracked,
  unreadUnit,
} from './reprocess.ts';
import { type Results, startResults, waitForUnits, waitUntilScored } from './results.ts';

let results: Results;
let replica: Awaited<ReturnType<Results['startReplica']>>;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
  replica = await results.startReplica();
});
afterAll(async () => {
  await replica.stop();
  await results.stop();
});

const days = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
const text = 'Acme is good. Rival is bad.';
const platforms = ['chatgpt', 'claude', 'gemini', 'perplexity'] as const;

const unitsOf = (tracked: Tracked, overrides: Partial<Unit> = {}): Unit[] =>
  days.flatMap((run_date) =>
    platforms.map((platform) => unreadUnit(tracked, { run_date, platform, answer_text: text, ...overrides })),
  );

/** A scan whose units arrive one by one. */
async function scan(tracked: Tracked, country: string): Promise<void> {
  const job_id = randomUUID();
  const units = unitsOf(tracked, { job_id, country });
  for (const unit of units) await results.emitUnit(unit);
  const counts = { total: units.length, answered: units.length, no_answer: 0, failed: 0 };
  await results.emitJob(jobData(tracked.own, job_id, { units: counts }));
  await waitUntilScored(results, job_id, { timeoutMs: 60_000 });
}

/** Deletes the imported units of every day, and imports others. */
async function replaceImports(tracked: Tracked): Promise<void> {
  const body = { from: days[0], to: days.at(-1), import_only: true };
  await results.call(operatorDeleteBrandUnits, { params: { brandId: tracked.own.id }, body });
  await importLines(
    results,
    tracked,
    days.flatMap((run_date) =>
      platforms.map((platform) =>
        importLine(tracked.prompt, { run_date, platform, country: 'US', answer_text: text }),
      ),
    ),
  );
}

test('scans, imports, deletions and jobs of two brands at the same time: no deadlock, and all figures agree', async () => {
  const brands = [await addTrackedBrands(results), await addTrackedBrands(results)];
  for (const tracked of brands) await storeUnits(results, tracked, unitsOf(tracked, { country: 'FR' }));
  await Promise.all(
    brands.flatMap((tracked) => [
      scan(tracked, 'DE'),
      scan(tracked, 'AT'),
      (async () => {
        for (let round = 0; round < 3; round += 1) await reprocess(results, tracked.own);
      })(),
    ]),
  );
  // The catalog of an import is one for all, so the imports are one after the other.
  for (const tracked of brands) {
    await Promise.all([
      (async () => {
        for (let round = 0; round < 3; round += 1) await replaceImports(tracked);
      })(),
      (async () => {
        for (let round = 0; round < 3; round += 1) await reprocess(results, tracked.own);
      })(),
    ]);
  }
  for (const tracked of brands) {
    await waitForUnits(results, tracked.own, 64);
    await reprocess(results, tracked.own);
    await checkAgreement(results, tracked.own, [tracked.rival]);
    for (const result of await readResults(results, tracked.prompt)) {
      expect(result.brands.map(({ position }) => position)).toEqual([1, 2]);
    }
  }
  const [row] = await results.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  expect(Number(row?.deadlocks)).toBe(0);
}, 180_000);
