import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { compareScores, currentMethodVersion, listScores, operatorDeleteBrandUnits } from '@bv/contract';
import { importLine } from './events.ts';
import {
  addTrackedBrands,
  importLines,
  reprocess,
  storeUnits,
  type Tracked,
  unreadUnit,
} from './reprocess.ts';
import { readTokenVersion, type Results, startResults, toBrandParams } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
});
afterAll(() => results.stop());

const current = currentMethodVersion;
const both = `3,${current}`;

async function readVersions({ own }: Tracked, query = ''): Promise<Record<string, string | undefined>> {
  const read = async (country: string): Promise<string | undefined> => {
    const filter = country === '' ? query : `${query}&country=${country}`;
    const { data } = await results.call(listScores, { params: toBrandParams(own), query: filter });
    return data[0]?.method_version;
  };
  return { all: await read(''), US: await read('US'), DE: await read('DE') };
}

const readReasons = async ({ own }: Tracked): Promise<string[]> => {
  const query = 'from_a=2026-11-19&to_a=2026-11-19&from_b=2026-11-20&to_b=2026-11-20';
  const { data } = await results.call(compareScores, { params: toBrandParams(own), query });
  return data.reasons;
};

const scan = (tracked: Tracked, country: string, method_version: string): Promise<void> =>
  storeUnits(results, tracked, [unreadUnit(tracked, { country, method_version })]);

/** A day whose answers of a market were read by version 3. */
async function addDayOfVersion3(): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  await scan(tracked, 'US', '3');
  return tracked;
}

test('a day that is scored again keeps the version of its earlier answers, until they are read again', async () => {
  const tracked = await addDayOfVersion3();
  await storeUnits(results, tracked, [unreadUnit(tracked, { run_date: '2026-11-19', country: 'US' })]);
  await scan(tracked, 'DE', current);
  expect(await readVersions(tracked)).toEqual({ all: both, US: both, DE: current });
  expect(await readVersions(tracked, 'window=7d')).toEqual({ all: both, US: both, DE: current });
  expect(await readReasons(tracked)).toContain('method_changed');
  await reprocess(results, tracked.own);
  expect(await readVersions(tracked)).toEqual({ all: current, US: current, DE: current });
  expect(await readReasons(tracked)).toEqual(['too_few', 'prompt_set_changed', 'short_window']);
});

test('imported answers have the version of the import, and deleting them leaves the others theirs', async () => {
  const tracked = await addDayOfVersion3();
  const line = importLine(tracked.prompt, { run_date: '2026-11-20', country: 'DE', platform: 'gemini' });
  await importLines(results, tracked, [line]);
  expect(await readVersions(tracked)).toEqual({ all: both, US: both, DE: current });
  const body = { from: '2026-11-20', to: '2026-11-20', import_only: true };
  await results.call(operatorDeleteBrandUnits, { params: { brandId: tracked.own.id }, body });
  expect(await readVersions(tracked)).toEqual({ all: both, US: both, DE: undefined });
});

test('an answer without a text keeps its version, and a reprocess job that changes nothing moves no token', async () => {
  const tracked = await addTrackedBrands(results);
  const textless = { answer_text: null, method_version: '3', unit_id: randomUUID() };
  await storeUnits(results, tracked, [unreadUnit(tracked, textless), unreadUnit(tracked, { country: 'DE' })]);
  await reprocess(results, tracked.own);
  expect(await readVersions(tracked)).toEqual({ all: both, US: both, DE: current });
  const version = await readTokenVersion(results, tracked.own);
  await reprocess(results, tracked.own);
  expect(await readTokenVersion(results, tracked.own)).toBe(version);
});
