import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listMentions, operatorDeleteBrandUnits, reprocessBrand, type ReprocessJob } from '@bv/contract';
import { type Brand, brandData, importLine, jobData } from './events.ts';
import {
  addTrackedBrands,
  checkAgreement,
  importLines,
  readResults,
  reprocess,
  requestReprocess,
  storeUnits,
  type Tracked,
  unreadUnit,
  waitForStatus,
} from './reprocess.ts';
import {
  readTokenVersion,
  type Results,
  startResults,
  toBrandParams,
  waitForUnits,
  waitUntilHandled,
  waitUntilScored,
} from './results.ts';
import { type Barrier, lockBy } from './worker-process.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
});
afterAll(() => results.stop());

const barriers: Barrier[] = [];
afterEach(async () => {
  for (const barrier of barriers.splice(0)) await barrier.release();
});

async function lock(statement: string, values: unknown[] = []): Promise<Barrier> {
  const barrier = await lockBy(results, statement, values);
  barriers.push(barrier);
  return barrier;
}

const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
const text = 'Acme is good. Apex is fast. Rival is bad.';

async function seed(): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  await storeUnits(
    results,
    tracked,
    days.map((run_date) => unreadUnit(tracked, { run_date, answer_text: text })),
  );
  return tracked;
}

/** Starts a job that waits while it stores what it has read of the newest day. */
async function startReading({ own }: Tracked): Promise<{ job: ReprocessJob; barrier: Barrier }> {
  const barrier = await lock('lock table reprocess_units in share mode');
  const job = await requestReprocess(results, own);
  await barrier.reached('insert into reprocess_units');
  return { job, barrier };
}

/** Starts a job that waits in the second day: the newest one is done. */
async function startSecondDay({ own }: Tracked): Promise<{ job: ReprocessJob; barrier: Barrier }> {
  const barrier = await lock(
    `select 1 from units where brand_id = $1 and run_date = '2026-11-19' for no key update`,
    [own.id],
  );
  const job = await requestReprocess(results, own);
  await barrier.reached('update units');
  return { job, barrier };
}

/** The brands of each result: name, position and place of the first occurrence. */
const readBrands = async ({ prompt }: Tracked) =>
  (await readResults(results, prompt)).map(({ brands }) =>
    brands.map(({ name, position, evidence }) => `${name} ${position} at ${evidence[0]?.start}`).join(', '),
  );

test('a second request during a job returns 409 with its id', async () => {
  const tracked = await seed();
  const { job, barrier } = await startReading(tracked);
  const second = await results.call(reprocessBrand, { params: toBrandParams(tracked.own) });
  expect(second.refusal).toMatchObject({
    code: 'reprocess_in_progress',
    details: { job_id: job.job_id },
  });
  await barrier.release();
  await waitForStatus(results, tracked.own, job);
  expect((await reprocess(results, tracked.own)).units.changed).toBe(0);
});

test('units of a scan that end during a day are read too, and the scan is scored once', async () => {
  const tracked = await seed();
  const { own, rival } = tracked;
  const { job, barrier } = await startReading(tracked);
  const job_id = randomUUID();
  const units = ['AT', 'DE', 'FR'].map((country) =>
    unreadUnit(tracked, { job_id, country, answer_text: text, finalized_at: '2026-11-20T11:00:00Z' }),
  );
  for (const unit of units) await results.emitUnit(unit);
  const counts = { total: 3, answered: 3, no_answer: 0, failed: 0 };
  await results.emitJob(jobData(own, job_id, { units: counts }));
  await waitUntilScored(results, job_id);
  await barrier.release();
  expect((await waitForStatus(results, own, job)).units).toEqual({ total: 6, done: 6, changed: 6 });
  expect(new Set(await readBrands(tracked))).toEqual(new Set(['Acme 1 at 0, Rival 2 at 28']));
  await checkAgreement(results, own, [rival]);
  await waitUntilScored(results, job_id);
});

test('a unit that arrives after its day, built with the older brands, is read at the end', async () => {
  const tracked = await seed();
  const { own } = tracked;
  const { job, barrier } = await startSecondDay(tracked);
  await results.emitUnit(
    unreadUnit(tracked, { answer_text: text, country: 'DE', finalized_at: new Date().toISOString() }),
  );
  // It waits for the token, which the job holds, and is stored before the job replaces another day.
  await barrier.reached('insert into brand_tokens');
  await barrier.release();
  expect((await waitForStatus(results, own, job)).units).toEqual({ total: 3, done: 3, changed: 4 });
  expect(new Set(await readBrands(tracked))).toEqual(new Set(['Acme 1 at 0, Rival 2 at 28']));
});

test('an import into the window during a job: all figures agree afterwards', async () => {
  const tracked = await seed();
  const { own, rival, prompt } = tracked;
  const { job, barrier } = await startReading(tracked);
  const lines = days.flatMap((run_date) =>
    ['DE', 'US'].map((country) =>
      importLine(prompt, {
        run_date,
        country,
        answer_text: text,
        sources: [{ url: 'https://acme.com/a' }],
      }),
    ),
  );
  const imported = importLines(results, tracked, lines);
  await waitForUnits(results, own, 9);
  await barrier.release();
  await imported;
  expect((await waitForStatus(results, own, job)).units).toEqual({ total: 9, done: 9, changed: 9 });
  await checkAgreement(results, own, [rival]);
});

test('a unit that is deleted and imported again with another text during its day has the findings of that text', async () => {
  const tracked = await addTrackedBrands(results);
  const { own, rival, prompt } = tracked;
  const unit_id = randomUUID();
  await importLines(results, tracked, [importLine(prompt, { unit_id, answer_text: 'Acme is good.' })]);
  const { job, barrier } = await startReading(tracked);
  const body = { from: '2026-11-19', to: '2026-11-19', import_only: true };
  const deleted = await results.call(operatorDeleteBrandUnits, { params: { brandId: own.id }, body });
  expect(deleted.data).toEqual({ deleted: 1 });
  await importLines(results, tracked, [importLine(prompt, { unit_id, answer_text: 'Rival is good.' })]);
  await barrier.release();
  await waitForStatus(results, own, job);
  expect(await readBrands(tracked)).toEqual(['Acme null at undefined, Rival 1 at 0']);
  await checkAgreement(results, own, [rival]);
});

test('units that are deleted during their day stay deleted', async () => {
  const tracked = await addTrackedBrands(results);
  const { own, prompt } = tracked;
  await importLines(results, tracked, [importLine(prompt, { answer_text: 'Acme is good.' })]);
  const { job, barrier } = await startReading(tracked);
  const body = { from: '2026-11-19', to: '2026-11-19', import_only: true };
  await results.call(operatorDeleteBrandUnits, { params: { brandId: own.id }, body });
  await barrier.release();
  await waitForStatus(results, own, job);
  expect(await readBrands(tracked)).toEqual([]);
  expect(await results.query('select 1 from scores where brand_id = $1', [own.id])).toEqual([]);
});

const change = async (brand: Brand, version: number): Promise<void> =>
  waitUntilHandled(results, await results.emitBrand(brand, version));

test('a brand that is renamed during a job: it begins again and ends with the new name on every day', async () => {
  const tracked = await seed();
  const { own, rival } = tracked;
  const { job, barrier } = await startSecondDay(tracked);
  const renamed = { ...own, name: 'Apex' };
  const changed = change(renamed, 2);
  await barrier.release();
  await changed;
  // Each unit counts once, although the newest day was replaced twice.
  expect((await waitForStatus(results, own, job)).units).toEqual({ total: 3, done: 3, changed: 3 });
  expect(new Set(await readBrands(tracked))).toEqual(new Set(['Apex 1 at 14, Rival 2 at 28']));
  await checkAgreement(results, own, [rival]);
});

test.each<[string, Partial<Brand>, string]>([
  ['', { name: 'Nobody', domain: 'nobody.com' }, 'evidence'],
  [', also without stored evidence', { name: 'bad', domain: 'bad.com' }, 'null'],
])(
  'a brand that gets its earlier name back during a job has no changed unit%s',
  async (_, other, evidence) => {
    const tracked = await seed();
    const { own } = tracked;
    await reprocess(results, own);
    const ofBrand = '(select id from units where brand_id = $1)';
    await results.query(`update unit_brands set evidence = ${evidence} where unit_id in ${ofBrand}`, [
      own.id,
    ]);
    await change({ ...own, ...other }, 2);
    const { job, barrier } = await startSecondDay(tracked);
    const changed = change(own, 3);
    await barrier.release();
    await changed;
    expect((await waitForStatus(results, own, job)).units).toEqual({ total: 3, done: 3, changed: 0 });
    expect(new Set(await readBrands(tracked))).toEqual(new Set(['Acme 1 at 0, Rival 2 at 28']));
  },
);

test('a competitor that is linked during a job has rows on every day', async () => {
  const tracked = await seed();
  const { own, rival } = tracked;
  const { job, barrier } = await startSecondDay(tracked);
  const apex = brandData({ is_own: false, org_id: own.org_id, name: 'Apex', domain: 'apex.com' });
  const linked = { id: apex.id, name: apex.name, domain: apex.domain, aliases: [] };
  await change(apex, 1);
  const changed = change({ ...own, competitors: [...own.competitors, linked] }, 2);
  await barrier.release();
  await changed;
  expect((await waitForStatus(results, own, job)).units.changed).toBe(3);
  expect(new Set(await readBrands(tracked))).toEqual(new Set(['Acme 1 at 0, Rival 3 at 28, Apex 2 at 14']));
  await checkAgreement(results, own, [rival, apex]);
});

test('an alias that a competitor gets while a day is read counts on every day, and no day is written twice', async () => {
  const tracked = await seed();
  const { own, rival } = tracked;
  const version = await readTokenVersion(results, own);
  const { job, barrier } = await startReading(tracked);
  await change({ ...rival, aliases: ['Apex'] }, 2);
  await barrier.release();
  await waitForStatus(results, own, job);
  const counts = (await readResults(results, tracked.prompt)).map(({ brands }) => brands[1]?.mention_count);
  expect(counts).toEqual([2, 2, 2]);
  expect(await readTokenVersion(results, own)).toBe(version + days.length);
});

test('a change whose event is late counts too: the job requests the brand again at its end', async () => {
  const tracked = await seed();
  const { own } = tracked;
  const { job, barrier } = await startReading(tracked);
  const stop = await results.serveCatalog([{ ...own, name: 'Apex' }, tracked.rival], 2);
  await barrier.release();
  expect((await waitForStatus(results, own, job)).units).toEqual({ total: 3, done: 3, changed: 3 });
  await stop();
  expect(new Set(await readBrands(tracked))).toEqual(new Set(['Apex 1 at 14, Rival 2 at 28']));
});

test('a brand that is archived during a job: the job goes on', async () => {
  const tracked = await seed();
  const { own } = tracked;
  const { job, barrier } = await startSecondDay(tracked);
  const changed = change({ ...own, sunset_at: '2026-11-21T00:00:00Z' }, 2);
  await barrier.release();
  await changed;
  expect((await waitForStatus(results, own, job)).units).toEqual({ total: 3, done: 3, changed: 3 });
});

test('a list that is read during a job has no page that mixes two states', async () => {
  const tracked = await seed();
  const { own } = tracked;
  const params = toBrandParams(own);
  const first = await results.call(listMentions, { params, query: 'limit=1' });
  const next = () =>
    results.call(listMentions, { params, query: `limit=1&cursor=${first.pagination.next_cursor}` });
  const { job, barrier } = await startReading(tracked);
  expect((await next()).status).toBe(200);
  await barrier.release();
  await waitForStatus(results, own, job);
  expect((await next()).refusal).toMatchObject({ code: 'invalid_cursor', details: { reason: 'stale' } });
  expect(await readTokenVersion(results, own)).toBeGreaterThan(3);
});
