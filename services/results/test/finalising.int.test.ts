import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { brandChanged, findBrandRpc, jobChanged, promptChanged, serveRpc, unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import { brandData, type Harness, jobData, log, promptData, startResults, unitData } from './harness.ts';

let results: Harness;
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
});
afterAll(() => results.stop());

const scored = (jobId: string) =>
  eventually(async () =>
    expect(
      await results.query('select 1 from scans where job_id = $1 and scored_at is not null', [jobId]),
    ).toHaveLength(1),
  );

test('of two ended scans of a brand that wait for units, the one that is whole leaves the other its mark', async () => {
  const own = brandData();
  const prompt = promptData(own);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  const path = `/orgs/${own.org_id}/brands/${own.id}/mentions`;
  const status = async () => (await results.get(own.org_id, path)).status;
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
    await scored(jobId);
  }
  expect(await status()).toBe(200);
});

test('a mark that ran out is not prolonged by the end of another scan', async () => {
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
  const whole = randomUUID();
  await results.emit(jobChanged, whole, 2, jobData(own, whole));
  const unit = unitData(prompt, [{ ...own, position: 1 }], { job_id: whole });
  await results.emit(unitFinalised, unit.unit_id, 1, unit);
  await scored(whole);
  const answer = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/mentions`);
  expect(answer.status).toBe(200);
});

test('a scan of a brand that no event told of yet is scored at once with what the catalog answers', async () => {
  const own = brandData({ name: 'Fresh' });
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
    await scored(jobId);
    const [event] = await results.query<{ envelope: { data: { brand: { name: string } } } }>(
      "select envelope from outbox where type = 'results.scan.scored.v1' and aggregate_id = $1",
      [jobId],
    );
    expect(event?.envelope.data.brand.name).toBe('Fresh');
    expect(await results.query('select name from brands where id = $1', [own.id])).toEqual([
      { name: 'Fresh' },
    ]);
  } finally {
    await rpc.stop();
  }
});
