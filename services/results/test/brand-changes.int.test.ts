import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listBrandSummaries, listMentions, listScores, listShareOfVoice, listSources } from '@bv/contract';
import { type Brand, jobData, type Unit, unitData } from './events.ts';
import {
  addBrandWithCompetitor,
  readTokenVersion,
  type Results,
  startResults,
  toBrandParams,
  waitUntilHandled,
  waitUntilScored,
} from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
});
afterAll(() => results.stop());

/** An own brand with a competitor, and a scored scan whose answer mentions and cites both. */
async function seed() {
  const { own, competitor, prompt } = await addBrandWithCompetitor(results);
  expect(await readTokenVersion(results, own)).toBe(0);
  const scan = async (overrides: Partial<Unit> = {}) => {
    const job_id = randomUUID();
    const found = [
      { ...own, position: 1 },
      { ...competitor, position: 2 },
    ];
    const sources = ['acme.com', 'rival.com'].map((domain, index) => ({
      position: index + 1,
      url: `https://${domain}/`,
      domain,
      title: null,
      cited: true,
    }));
    await results.emitUnit(unitData(prompt, found, { job_id, sources, ...overrides }));
    await results.emitJob(jobData(own, job_id));
    await waitUntilScored(results, job_id);
  };
  await scan();
  return { own, competitor, params: toBrandParams(own), scan };
}

test.each<[string, (own: Brand) => Brand]>([
  ['a competitor is unlinked', (own) => ({ ...own, competitors: [] })],
  ['it is archived', (own) => ({ ...own, sunset_at: '2026-11-21T11:00:00Z' })],
  ['it is renamed', (own) => ({ ...own, name: 'Apex' })],
])('a cursor is stale after a change of the brand: %s', async (_name, change) => {
  const { own, params } = await seed();
  const readChangedAt = async () => {
    const [row] = await results.query<{ changed_at: string }>(
      `select envelope #>> '{data,changed_at}' as changed_at from outbox
       where type = 'results.brand.changed.v1' and aggregate_id = $1 order by version desc limit 1`,
      [own.id],
    );
    return Date.parse(row!.changed_at);
  };
  const { next_cursor } = (await results.call(listSources, { params, query: 'limit=1' })).pagination;
  const readNext = () => results.call(listSources, { params, query: `cursor=${next_cursor}` });
  const [version, changedAt] = [await readTokenVersion(results, own), await readChangedAt()];

  // The same version again, as after the broker lost its data: nothing changes.
  await waitUntilHandled(results, await results.emitBrand(own));
  expect(await readTokenVersion(results, own)).toBe(version);
  expect((await readNext()).status).toBe(200);

  await waitUntilHandled(results, await results.emitBrand(change(own), 2));
  expect(await readTokenVersion(results, own)).toBe(version + 1);
  expect(await readChangedAt()).toBeGreaterThan(changedAt);
  expect((await readNext()).refusal).toEqual({
    status: 400,
    code: 'invalid_cursor',
    details: { reason: 'stale' },
  });
});

test('an unlinked competitor keeps its share of voice and is no competitor in sources', async () => {
  const { own, competitor, params } = await seed();
  await waitUntilHandled(
    results,
    await results.emitBrand({ ...own, name: 'Apex', competitors: [] }, 2),
    await results.emitBrand({ ...competitor, name: 'Rival & Sons' }, 2),
  );
  // Brands of one rank are ordered by id.
  const names = new Map([
    [own.id, 'Apex'],
    [competitor.id, 'Rival & Sons'],
  ]);
  const ids = [...names.keys()].toSorted();
  expect((await results.call(listShareOfVoice, { params })).data).toMatchObject(
    ids.map((id) => ({ run_date: '2026-11-20', name: names.get(id), share_of_voice: 50, rank: 1 })),
  );
  expect((await results.call(listSources, { params })).data).toMatchObject([
    { domain: 'acme.com', category: 'own' },
    { domain: 'rival.com', category: 'other', competitor_id: null },
  ]);
});

test('units of a brand that was archived during the scan are stored, scored and readable', async () => {
  const { own, params, scan } = await seed();
  await waitUntilHandled(results, await results.emitBrand({ ...own, sunset_at: '2026-11-21T11:00:00Z' }, 2));
  await scan({ run_date: '2026-11-20', finalized_at: '2026-11-20T23:00:00Z', country: 'DE' });
  expect((await results.call(listMentions, { params })).data).toHaveLength(2);
  expect((await results.call(listScores, { params, query: 'country=DE' })).data).toMatchObject([
    { score: 100 },
  ]);
  expect((await results.call(listBrandSummaries, { params })).data).toEqual([]);
});
