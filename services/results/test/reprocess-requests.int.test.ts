import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { getReprocess, reprocessBrand } from '@bv/contract';
import { type Brand, brandData } from './events.ts';
import {
  addBrand,
  addBrandWithCompetitor,
  addToCatalog,
  type Results,
  startResults,
  toBrandParams,
} from './results.ts';

let results: Results;
beforeAll(async () => {
  // Without a worker, so that the jobs stay queued.
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '0' } });
});
afterAll(() => results.stop());

type Call = { body?: unknown; operationId?: string };

const request = (brand: Brand, { body, operationId }: Call = {}) =>
  results.call(reprocessBrand, {
    params: toBrandParams(brand),
    body,
    caller: operationId === undefined ? {} : { operationId },
  });

const read = (brand: Brand, jobId: string) =>
  results.call(getReprocess, { params: { ...toBrandParams(brand), jobId } });

const countJobs = async (brand: Brand): Promise<number> =>
  (await results.query('select 1 from reprocess_jobs where brand_id = $1', [brand.id])).length;

describe('a request', () => {
  test.each([
    ['no body', undefined],
    ['an empty body', {}],
  ])('with %s is queued for today and the 89 days before', async (_name, body) => {
    const { own } = await addBrand(results);
    const response = await request(own, { body });
    expect(response.status).toBe(202);
    expect(response.data).toEqual({
      job_id: expect.any(String),
      brand_id: own.id,
      status: 'queued',
      from: '2026-08-24',
      to: '2026-11-21',
      units: { total: 0, done: 0, changed: 0 },
      queued_at: expect.any(String),
      started_at: null,
      completed_at: null,
    });
    expect((await read(own, response.data.job_id)).data).toEqual(response.data);
  });

  test.each([
    [{ from: '2026-01-01' }, '2026-01-01', '2026-11-21'],
    [{ to: '2026-03-01' }, '2025-12-02', '2026-03-01'],
    [{ from: '2025-03-01', to: '2026-03-02' }, '2025-03-01', '2026-03-02'],
  ])('with the window %j', async (body, from, to) => {
    const { own } = await addBrand(results);
    expect((await request(own, { body })).data).toMatchObject({ from, to });
  });

  test('is queued for an archived brand', async () => {
    const own = brandData({ sunset_at: '2026-11-20T00:00:00Z' });
    await addToCatalog(results, { brands: [own] });
    expect((await request(own)).status).toBe(202);
  });

  test('is queued for a brand whose event has not arrived, if the catalog has it', async () => {
    const own = brandData();
    expect((await request(own)).refusal).toMatchObject({ status: 503, code: 'api_unavailable' });
    const stop = await results.serveCatalog([own]);
    expect((await request(own)).status).toBe(202);
    await stop();
  });
});

test('a second request returns 409 with the id of the open job, also a concurrent one', async () => {
  const { own } = await addBrand(results);
  const responses = await Promise.all(Array.from({ length: 8 }, () => request(own)));
  const [queued, ...others] = responses.toSorted((a, b) => a.status - b.status);
  expect(queued?.status).toBe(202);
  for (const { refusal } of others) {
    expect(refusal).toEqual({
      status: 409,
      code: 'reprocess_in_progress',
      details: { job_id: queued?.data.job_id },
    });
  }
  expect(await countJobs(own)).toBe(1);
});

test('a retry of the gateway gets the stored response and queues nothing', async () => {
  const { own } = await addBrand(results);
  const call = { operationId: randomUUID(), body: { from: '2026-11-01' } };
  const [first, second] = await Promise.all([request(own, call), request(own, call)]);
  expect(first.status).toBe(202);
  expect(second.body).toEqual(first.body);
  expect(await countJobs(own)).toBe(1);
});

describe('refusals', () => {
  test.each([
    [{ from: '2026-11-02', to: '2026-11-01' }, 'from/to', 'window_inverted'],
    [{ from: '2026-11-22' }, 'from/to', 'window_inverted'],
    [{ from: '2025-11-01', to: '2026-11-03' }, 'from/to', 'window_too_wide'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from/to', 'invalid_date'],
    [{ from: '1 May' }, 'from', 'invalid_format'],
    [{ to: 7 }, 'to', 'invalid_type'],
    [[], '', 'invalid_type'],
  ])('400 validation_error: %j', async (body, path, code) => {
    const { own } = await addBrand(results);
    expect((await request(own, { body })).refusal).toEqual({
      status: 400,
      code: 'validation_error',
      details: [expect.objectContaining({ path, code })],
    });
    expect(await countJobs(own)).toBe(0);
  });

  test('400 own_brand_only for a competitor', async () => {
    const { competitor } = await addBrandWithCompetitor(results);
    expect((await request(competitor)).refusal).toMatchObject({
      code: 'validation_error',
      details: [{ path: 'brandId', code: 'own_brand_only' }],
    });
  });

  test('404 for an unknown brand and for a brand of another organisation', async () => {
    const stop = await results.serveCatalog([]);
    expect((await request(brandData())).refusal).toEqual({ status: 404, code: 'not_found' });
    const { own } = await addBrand(results);
    expect((await request({ ...own, org_id: randomUUID() })).refusal).toEqual({
      status: 404,
      code: 'not_found',
    });
    await stop();
  });

  test('404 for a job of another brand or organisation, and for an unknown job', async () => {
    const { own } = await addBrand(results);
    const { own: other } = await addBrand(results);
    const { job_id } = (await request(own)).data;
    const notFound = { status: 404, code: 'not_found' };
    expect((await read(other, job_id)).refusal).toEqual(notFound);
    expect((await read({ ...own, org_id: other.org_id }, job_id)).refusal).toEqual(notFound);
    expect((await read(own, randomUUID())).refusal).toEqual(notFound);
  });
});
