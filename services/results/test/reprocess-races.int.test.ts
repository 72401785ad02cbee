import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  defaultMatchRules,
  listMentions,
  operatorDeleteBrandUnits,
  reprocessBrand,
  type ReprocessJob,
} from '@bv/contract';
import { judgeAnswerRpc, type RpcServer, serveRpc } from '@bv/events';
import { eventually } from '@bv/testkit';
import { type Brand, importLine, jobData } from './events.ts';
import {
  addTrackedBrands,
  checkAgreement,
  importLines,
  readResults,
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
  waitUntilHandled,
  waitUntilScored,
} from './results.ts';
import { type Barrier, lockBy } from './worker-process.ts';

/** Scans replies to the requests for judgements when it is open: a job that reads a day waits there. */
let scans: RpcServer;
let requests = 0;
let gate = Promise.withResolvers<void>();

let results: Results;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
  const reply = async (): Promise<null> => {
    requests += 1;
    await gate.promise;
    return null;
  };
  scans = serveRpc(results.connection, judgeAnswerRpc, reply, { queue: 'scans', log: results.log });
});
beforeEach(() => {
  requests = 0;
  gate = Promise.withResolvers<void>();
});
const barriers: Barrier[] = [];
afterEach(async () => {
  gate.resolve();
  for (const barrier of barriers.splice(0)) await barrier.release();
});
afterAll(async () => {
  await scans.stop();
  await results.stop();
});

const days = ['2026-11-18', '2026-11-19', '2026-11-20'];
const text = 'Acme is good. Apex is fast. Rival is bad.';
const match = { ...defaultMatchRules, verify: true };

async function seed(own: Partial<Brand> = { match }): Promise<Tracked> {
  const tracked = await addTrackedBrands(results, { own });
  await storeUnits(
    results,
    tracked,
    days.map((run_date) => unreadUnit(tracked, { run_date, answer_text: text })),
  );
  return tracked;
}

/** Starts a job that has read the answers of its first day, and waits for their judgements. */
async function startReading({ own }: Tracked): Promise<ReprocessJob> {
  const job = await requestReprocess(results, own);
  await eventually(() => expect(requests).toBeGreaterThan(0));
  return job;
}

/** Ends the waiting, and then the job. */
async function finish({ own }: Tracked, job: ReprocessJob): Promise<ReprocessJob> {
  gate.resolve();
  return waitForStatus(results, own, job);
}

/** The brands of each result: name, position and place of the first occurrence. */
const readBrands = async ({ prompt }: Tracked) =>
  (await readResults(results, prompt)).map(({ brands }) =>
    brands.map(({ name, position, evidence }) => `${name} ${position} at ${evidence[0]?.start}`).join(', '),
  );

test('a second request during a job returns 409 with its id', async () => {
  const tracked = await seed();
  const job = await startReading(tracked);
  const second = await results.call(reprocessBrand, { params: toBrandParams(tracked.own) });
  expect(second.refusal).toMatchObject({ code: 'reprocess_in_progress', details: { job_id: job.job_id } });
  await finish(tracked, job);
});

test('units of a scan that end while their day is read are read too, and the scan is scored', async () => {
  const tracked = await seed();
  const { own, rival } = tracked;
  const job = await startReading(tracked);
  const job_id = randomUUID();
  const run_date = days[0]!;
  for (const country of ['AT', 'DE', 'FR']) {
    await results.emitUnit(unreadUnit(tracked, { job_id, country, run_date, answer_text: text }));
  }
  const counts = { total: 3, answered: 3, no_answer: 0, failed: 0 };
  await results.emitJob(jobData(own, job_id, { run_date, units: counts }));
  await waitUntilScored(results, job_id);
  expect((await finish(tracked, job)).units).toEqual({ total: 6, done: 6, changed: 6 });
  expect(new Set(await readBrands(tracked))).toEqual(new Set(['Acme 1 at 0, Rival 2 at 28']));
  await checkAgreement(results, own, [rival]);
});

test('a unit that is deleted and imported again with another text during its day has the findings of that text', async () => {
  const tracked = await addTrackedBrands(results, { own: { match } });
  const { own, rival, prompt } = tracked;
  const unit_id = randomUUID();
  await importLines(results, tracked, [importLine(prompt, { unit_id, answer_text: 'Acme is good.' })]);
  const job = await startReading(tracked);
  const body = { from: '2026-11-19', to: '2026-11-19', import_only: true };
  const deleted = await results.call(operatorDeleteBrandUnits, { params: { brandId: own.id }, body });
  expect(deleted.data).toEqual({ deleted: 1 });
  await importLines(results, tracked, [importLine(prompt, { unit_id, answer_text: 'Rival is good.' })]);
  await finish(tracked, job);
  expect(await readBrands(tracked)).toEqual(['Acme null at undefined, Rival 1 at 0']);
  await checkAgreement(results, own, [rival]);
});

const change = async (brand: Brand, version: number): Promise<void> =>
  waitUntilHandled(results, await results.emitBrand(brand, version));

test('a brand that is renamed after a day: the job begins again and ends with the new name on every day', async () => {
  const tracked = await seed({});
  const { own, rival } = tracked;
  const ofSecondDay = `select 1 from units where brand_id = $1 and run_date = '2026-11-19' for no key update`;
  const barrier = await lockBy(results, ofSecondDay, [own.id]);
  barriers.push(barrier);
  const job = await requestReprocess(results, own);
  await barrier.reached('update units');
  const changed = change({ ...own, name: 'Apex' }, 2);
  await barrier.release();
  await changed;
  expect((await waitForStatus(results, own, job)).units).toEqual({ total: 3, done: 3, changed: 3 });
  expect(new Set(await readBrands(tracked))).toEqual(new Set(['Apex 1 at 14, Rival 2 at 28']));
  await checkAgreement(results, own, [rival]);
});

test('an alias that a competitor gets while a day is read counts on every day, and no day is written twice', async () => {
  const tracked = await seed();
  const { own, rival } = tracked;
  const version = await readTokenVersion(results, own);
  const job = await startReading(tracked);
  await change({ ...rival, aliases: ['Apex'] }, 2);
  await finish(tracked, job);
  const counts = (await readResults(results, tracked.prompt)).map(({ brands }) => brands[1]?.mention_count);
  expect(counts).toEqual([2, 2, 2]);
  expect(await readTokenVersion(results, own)).toBe(version + days.length);
});

test('a change whose event is late counts too: the job requests the brand again at its end', async () => {
  const tracked = await seed();
  const job = await startReading(tracked);
  const stop = await results.serveCatalog([{ ...tracked.own, name: 'Apex' }, tracked.rival], 2);
  expect((await finish(tracked, job)).units).toEqual({ total: 3, done: 3, changed: 3 });
  await stop();
  expect(new Set(await readBrands(tracked))).toEqual(new Set(['Apex 1 at 14, Rival 2 at 28']));
});

test('a list that is read during a job has no page that mixes two states', async () => {
  const tracked = await seed();
  const params = toBrandParams(tracked.own);
  const first = await results.call(listMentions, { params, query: 'limit=1' });
  const next = () =>
    results.call(listMentions, { params, query: `limit=1&cursor=${first.pagination.next_cursor}` });
  const job = await startReading(tracked);
  expect((await next()).status).toBe(200);
  await finish(tracked, job);
  expect((await next()).refusal).toMatchObject({ code: 'invalid_cursor', details: { reason: 'stale' } });
});
