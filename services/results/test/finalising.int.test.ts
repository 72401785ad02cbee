import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  listBrandSummaries,
  listMentions,
  listPromptResults,
  listScores,
  listShareOfVoice,
  listSources,
} from '@bv/contract';
import { eventually } from '@bv/testkit';
import { brandData, jobData, promptData, unitData } from './events.ts';
import {
  addBrand,
  type Results,
  startResults,
  toBrandParams,
  toPromptParams,
  waitForUnits,
  waitUntilScored,
} from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
});
afterAll(() => results.stop());

const source = (host: string, position: number) => ({
  position,
  url: `https://${host}/`,
  domain: host,
  title: null,
  cited: true,
});

test('while a scan is being finalised, first pages of three lists return 409, later pages are stale, other lists return 200', async () => {
  const { own, prompt } = await addBrand(results);
  const [params, promptParams] = [toBrandParams(own), toPromptParams(prompt)];
  const jobId = randomUUID();
  for (const country of ['DE', 'US']) {
    const sources = [source('a.com', 1), source('b.com', 2)];
    await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }], { job_id: jobId, country, sources }));
  }
  await waitForUnits(results, own, 2);
  const lists = [
    (query = '') => results.call(listPromptResults, { params: promptParams, query }),
    (query = '') => results.call(listMentions, { params, query }),
    (query = '') => results.call(listSources, { params, query }),
  ];
  const cursors = await Promise.all(
    lists.map(async (list) => (await list('limit=1')).pagination.next_cursor),
  );
  const units = { total: 3, answered: 3, no_answer: 0, failed: 0 };
  await results.emitJob(jobData(own, jobId, { units }));
  await eventually(async () => expect((await results.call(listMentions, { params })).status).toBe(409));
  for (const [index, list] of lists.entries()) {
    const first = await list();
    expect(first).toMatchObject({ status: 409, code: 'scan_in_progress' });
    expect(first.headers.get('retry-after')).toBe('5');
    expect((await list(`cursor=${cursors[index]}`)).refusal).toEqual({
      status: 400,
      code: 'invalid_cursor',
      details: { reason: 'stale' },
    });
  }
  expect((await results.call(listScores, { params })).status).toBe(200);
  expect((await results.call(listShareOfVoice, { params })).status).toBe(200);
  expect((await results.call(listBrandSummaries, { params })).status).toBe(200);
  await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }], { job_id: jobId, country: 'FR' }));
  await waitUntilScored(results, jobId);
  for (const list of lists) expect((await list()).status).toBe(200);
});

test('a scan that is scored keeps the finalisation mark of another scan of the brand', async () => {
  const { own, prompt } = await addBrand(results);
  const readStatus = async () => (await results.call(listMentions, { params: toBrandParams(own) })).status;
  const waiting = [randomUUID(), randomUUID()];
  for (const jobId of waiting) await results.emitJob(jobData(own, jobId));
  const marked = 'select 1 from scans where brand_id = $1 and finalising_until is not null';
  await eventually(async () => expect(await results.query(marked, [own.id])).toHaveLength(2));
  for (const [index, jobId] of waiting.entries()) {
    expect(await readStatus()).toBe(409);
    const country = `C${index}`;
    await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }], { job_id: jobId, country }));
    await waitUntilScored(results, jobId);
  }
  expect(await readStatus()).toBe(200);
});

test('an expired finalisation mark is not extended by the end of another scan', async () => {
  const { own, prompt } = await addBrand(results);
  const lost = randomUUID();
  await results.emitJob(jobData(own, lost));
  const expire = `update scans set finalising_until = now() - interval '1 second'
    where job_id = $1 and finalising_until is not null returning 1`;
  await eventually(async () => expect(await results.query(expire, [lost])).toHaveLength(1));
  const complete = randomUUID();
  await results.emitJob(jobData(own, complete));
  await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }], { job_id: complete }));
  await waitUntilScored(results, complete);
  expect((await results.call(listMentions, { params: toBrandParams(own) })).status).toBe(200);
});

test('a scan that arrives before the event of its brand is scored at once with the brand of the catalog RPC', async () => {
  const own = brandData({ name: 'Unpublished' });
  const stopCatalog = await results.serveCatalog([own]);
  const jobId = randomUUID();
  await results.emitJob(jobData(own, jobId));
  await results.emitUnit(unitData(promptData(own), [{ ...own, position: 1 }], { job_id: jobId }));
  expect((await waitUntilScored(results, jobId)).brand.name).toBe('Unpublished');
  expect(await results.query('select name from brands where id = $1', [own.id])).toEqual([
    { name: 'Unpublished' },
  ]);
  await stopCatalog();
});
