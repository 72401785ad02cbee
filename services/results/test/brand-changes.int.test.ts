import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { brandChanged, jobChanged, unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import { brandData, emitRivals, type Harness, jobData, startResults, unitData } from './harness.ts';

let results: Harness;
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
});
afterAll(() => results.stop());

type Brand = ReturnType<typeof brandData>;

/** Waits until this version of the brand is projected. */
const waitForVersion = (id: string, version: number) =>
  eventually(async () =>
    expect(
      await results.query('select 1 from brands where id = $1 and version >= $2', [id, version]),
    ).toHaveLength(1),
  );

const getToken = async (brand: Brand) =>
  (
    await results.query<{ version: string }>('select version from brand_tokens where brand_id = $1', [
      brand.id,
    ])
  )[0]?.version;

/** An own brand with a competitor, and a scored scan whose answer mentions and cites both. */
async function seed() {
  const { own, rival: competitor, prompt } = await emitRivals(results);
  await waitForVersion(competitor.id, 1);
  await waitForVersion(own.id, 1);
  expect(await getToken(own)).toBeUndefined();
  const scan = async (overrides: Parameters<typeof unitData>[2] = {}) => {
    const jobId = randomUUID();
    const unit = unitData(
      prompt,
      [
        { ...own, position: 1 },
        { ...competitor, position: 2 },
      ],
      {
        job_id: jobId,
        sources: ['acme.com', 'rival.com'].map((domain, index) => ({
          position: index + 1,
          url: `https://${domain}/`,
          domain,
          title: null,
          cited: true,
        })),
        ...overrides,
      },
    );
    await results.emit(unitFinalised, unit.unit_id, 1, unit);
    await results.emit(jobChanged, jobId, 2, jobData(own, jobId));
    await eventually(async () =>
      expect(
        await results.query('select 1 from scans where job_id = $1 and scored_at is not null', [jobId]),
      ).toHaveLength(1),
    );
  };
  await scan();
  const read = async (list: string, query = '') =>
    results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/${list}${query}`);
  return { own, competitor, prompt, read, scan };
}

test.each<[string, (own: Brand) => Brand]>([
  ['a competitor is unlinked', (own) => ({ ...own, competitors: [] })],
  ['it is archived', (own) => ({ ...own, sunset_at: '2026-11-21T11:00:00Z' })],
  ['it is renamed', (own) => ({ ...own, name: 'Apex' })],
])('a cursor is stale after a change of the brand: %s', async (_name, change) => {
  const { own, read } = await seed();
  const changedAt = async () =>
    (
      await results.query<{ envelope: { data: { changed_at: string } } }>(
        `select envelope from outbox where type = 'results.brand.changed.v1' and aggregate_id = $1
         order by version desc limit 1`,
        [own.id],
      )
    )[0]?.envelope.data.changed_at;
  const { next_cursor } = (await read('sources', '?limit=1')).body.pagination;
  const [token, before] = [await getToken(own), (await changedAt()) ?? ''];

  // The same version again, as after the broker lost its data: nothing changes.
  await results.emit(brandChanged, own.id, 1, own);
  const marker = brandData();
  await results.emit(brandChanged, marker.id, 1, marker);
  await waitForVersion(marker.id, 1);
  expect(await getToken(own)).toBe(token);
  expect((await read('sources', `?cursor=${next_cursor}`)).status).toBe(200);

  await results.emit(brandChanged, own.id, 2, change(own));
  await waitForVersion(own.id, 2);
  expect(await getToken(own)).toBe(String(Number(token) + 1));
  expect(((await changedAt()) ?? '') > before).toBe(true);
  expect((await read('sources', `?cursor=${next_cursor}`)).body.error).toMatchObject({
    code: 'invalid_cursor',
    details: { reason: 'stale' },
  });
});

test('an unlinked competitor keeps its share of voice and is no competitor in sources', async () => {
  const { own, competitor, read } = await seed();
  await results.emit(brandChanged, own.id, 2, { ...own, name: 'Apex', competitors: [] });
  await results.emit(brandChanged, competitor.id, 2, { ...competitor, name: 'Rival & Sons' });
  await waitForVersion(own.id, 2);
  await waitForVersion(competitor.id, 2);
  expect((await read('share-of-voice')).body.data).toMatchObject(
    [own.id < competitor.id ? 'Apex' : 'Rival & Sons', own.id < competitor.id ? 'Rival & Sons' : 'Apex'].map(
      (name) => ({
        run_date: '2026-11-20',
        name,
        share_of_voice: 50,
        rank: 1,
      }),
    ),
  );
  expect((await read('sources')).body.data).toMatchObject([
    { domain: 'acme.com', category: 'own' },
    { domain: 'rival.com', category: 'other', competitor_id: null },
  ]);
});

test('units of a brand that was archived during the scan are stored, scored and readable', async () => {
  const { own, read, scan } = await seed();
  await results.emit(brandChanged, own.id, 2, { ...own, sunset_at: '2026-11-21T11:00:00Z' });
  await waitForVersion(own.id, 2);
  await scan({ run_date: '2026-11-20', finalized_at: '2026-11-20T23:00:00Z', country: 'DE' });
  expect((await read('mentions')).body.data).toHaveLength(2);
  expect((await read('scores', '?country=DE')).body.data).toMatchObject([{ score: 100 }]);
  const summary = await results.get(own.org_id, `/orgs/${own.org_id}/brands/summary`);
  expect(summary.body.data).toEqual([]);
});
