import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { brandChanged, findBrandRpc, jobChanged, promptChanged, serveRpc, unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import {
  brandData,
  type Harness,
  jobData,
  log,
  promptData,
  startResults,
  unitData,
  knows,
} from './harness.ts';

let results: Harness;
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
});
afterAll(() => results.stop());

const waitUntilScored = (jobId: string) =>
  eventually(async () =>
    expect(
      await results.query('select 1 from scans where job_id = $1 and scored_at is not null', [jobId]),
    ).toHaveLength(1),
  );

test('while a scan is being finalised, first pages of three lists return 409, later pages are stale, other lists return 200', async () => {
  const own = brandData();
  const prompt = promptData(own);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  const source = (host: string, position: number) => ({
    position,
    url: `https://${host}/`,
    domain: host,
    title: null,
    cited: true,
  });
  const jobId = randomUUID();
  const units = ['DE', 'US'].map((country) =>
    unitData(prompt, [{ ...own, position: 1 }], {
      job_id: jobId,
      country,
      sources: [source('a.com', 1), source('b.com', 2)],
    }),
  );
  for (const unit of units) await results.emit(unitFinalised, unit.unit_id, 1, unit);
  await knows(results, { brands: [own], prompts: [prompt] });
  const path = `/orgs/${own.org_id}/brands`;
  const paths = [
    `/orgs/${own.org_id}/prompts/${prompt.id}/results`,
    `${path}/${own.id}/mentions`,
    `${path}/${own.id}/sources`,
  ];
  await eventually(async () =>
    expect(await results.query('select 1 from units where job_id = $1', [jobId])).toHaveLength(2),
  );
  const cursors = await Promise.all(
    paths.map(
      async (listPath) => (await results.get(own.org_id, `${listPath}?limit=1`)).body.pagination.next_cursor,
    ),
  );
  const complete = { total: 3, answered: 3, no_answer: 0, failed: 0 };
  await results.emit(jobChanged, jobId, 2, jobData(own, jobId, { units: complete }));
  await eventually(async () => expect((await results.get(own.org_id, paths[1] ?? '')).status).toBe(409));
  for (const [index, listPath] of paths.entries()) {
    const first = await results.get(own.org_id, listPath);
    expect(first).toMatchObject({ status: 409, body: { error: { code: 'scan_in_progress' } } });
    expect(first.headers.get('retry-after')).toBe('5');
    expect(await results.get(own.org_id, `${listPath}?cursor=${cursors[index]}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_cursor', details: { reason: 'stale' } } },
    });
  }
  for (const list of [`${path}/${own.id}/scores`, `${path}/${own.id}/share-of-voice`, `${path}/summary`]) {
    expect((await results.get(own.org_id, list)).status).toBe(200);
  }
  const last = unitData(prompt, [{ ...own, position: 1 }], { job_id: jobId, country: 'FR' });
  await results.emit(unitFinalised, last.unit_id, 1, last);
  await waitUntilScored(jobId);
  for (const listPath of paths) expect((await results.get(own.org_id, listPath)).status).toBe(200);
});

test('a scan that is scored keeps the finalisation mark of another scan of the brand', async () => {
  const own = brandData();
  const prompt = promptData(own);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  const path = `/orgs/${own.org_id}/brands/${own.id}/mentions`;
  const status = async () => (await results.get(own.org_id, path)).status;
  await knows(results, { brands: [own], prompts: [prompt] });
  const waiting = [randomUUID(), randomUUID()] as const;
  for (const jobId of waiting) await results.emit(jobChanged, jobId, 2, jobData(own, jobId));
  await eventually(async () =>
    expect(
      await results.query('select 1 from scans where brand_id = $1 and finalising_until is not null', [
        own.id,
      ]),
    ).toHaveLength(2),
  );
  for (const [index, jobId] of waiting.entries()) {
    expect(await status()).toBe(409);
    const unit = unitData(prompt, [{ ...own, position: 1 }], { job_id: jobId, country: `C${index}` });
    await results.emit(unitFinalised, unit.unit_id, 1, unit);
    await waitUntilScored(jobId);
  }
  expect(await status()).toBe(200);
});

test('an expired finalisation mark is not extended by the end of another scan', async () => {
  const own = brandData();
  const prompt = promptData(own);
  await results.emit(brandChanged, own.id, 1, own);
  const lost = randomUUID();
  await results.emit(jobChanged, lost, 2, jobData(own, lost));
  await eventually(async () =>
    expect(
      await results.query(
        `update scans set finalising_until = now() - interval '1 second'
         where job_id = $1 and finalising_until is not null returning 1`,
        [lost],
      ),
    ).toHaveLength(1),
  );
  const complete = randomUUID();
  await results.emit(jobChanged, complete, 2, jobData(own, complete));
  const unit = unitData(prompt, [{ ...own, position: 1 }], { job_id: complete });
  await results.emit(unitFinalised, unit.unit_id, 1, unit);
  await waitUntilScored(complete);
  const response = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/mentions`);
  expect(response.status).toBe(200);
});

test('a scan that arrives before the event of its brand is scored at once with the brand of the catalog RPC', async () => {
  const own = brandData({ name: 'Unpublished' });
  const rpc = serveRpc(
    results.connection,
    findBrandRpc,
    async ({ id }) => (id === own.id ? { version: 1, data: own } : null),
    { queue: 'catalog', log },
  );
  try {
    const jobId = randomUUID();
    const unit = unitData(promptData(own), [{ ...own, position: 1 }], { job_id: jobId });
    await results.emit(jobChanged, jobId, 2, jobData(own, jobId));
    await results.emit(unitFinalised, unit.unit_id, 1, unit);
    await waitUntilScored(jobId);
    const [event] = await results.query<{ envelope: { data: { brand: { name: string } } } }>(
      "select envelope from outbox where type = 'results.scan.scored.v1' and aggregate_id = $1",
      [jobId],
    );
    expect(event?.envelope.data.brand.name).toBe('Unpublished');
    expect(await results.query('select name from brands where id = $1', [own.id])).toEqual([
      { name: 'Unpublished' },
    ]);
  } finally {
    await rpc.stop();
  }
});
