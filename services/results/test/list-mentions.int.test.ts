import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listMentions, type Mention } from '@bv/contract';
import { eventually } from '@bv/testkit';
import { type Brand, brandData, jobData, unitData } from './events.ts';
import {
  addBrand,
  addToCatalog,
  type Results,
  startResults,
  toBrandParams,
  waitForUnits,
} from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
});
afterAll(() => results.stop());

const read = (brand: Brand, query = '') =>
  results.call(listMentions, { params: toBrandParams(brand), query });

/** An own brand and a prompt with `count` finalised units, in ascending order of time. */
async function seed(count: number) {
  const { own, prompt } = await addBrand(results);
  const units = Array.from({ length: count }, (_, index) =>
    unitData(prompt, [{ ...own, position: index % 2 === 0 ? 1 : null }], {
      country: index % 3 === 0 ? 'DE' : 'US',
      platform: index % 2 === 0 ? 'claude' : 'gemini',
      // Equal days, and times that are equal or differ by a microsecond. The id orders equal times.
      finalized_at: `2026-11-20T10:00:00.${String(123_456 + Math.floor(index / 2))}Z`,
    }),
  );
  for (const unit of units) await results.emitUnit(unit);
  await waitForUnits(results, own, count);
  return { own, prompt };
}

describe('200', () => {
  test('returns every row once, newest first, with every page size', async () => {
    const { own } = await seed(23);
    const all = await read(own, 'limit=1000');
    expect(all.pagination).toEqual({ next_cursor: null, has_more: false });
    const times = all.data.map((row) => row.finalized_at);
    expect(times).toEqual(times.toSorted().reverse());
    for (const limit of [1, 2, 7, 22, 23]) {
      const rows: Mention[] = [];
      let cursor = '';
      do {
        const { data, pagination } = await read(own, `limit=${limit}${cursor}`);
        rows.push(...data);
        expect(pagination.has_more).toBe(pagination.next_cursor !== null);
        cursor = pagination.next_cursor === null ? '' : `&cursor=${pagination.next_cursor}`;
      } while (cursor !== '');
      expect(rows).toEqual(all.data);
    }
  });

  test('position and sentiment are null, not 0, if the brand is not mentioned', async () => {
    const { own } = await seed(2);
    expect((await read(own)).data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ mentioned: false, position: null, sentiment: null }),
        expect.objectContaining({ mentioned: true, position: 1, sentiment: 50 }),
      ]),
    );
  });

  test('the cursor contains the filters; a filter that no unit matches returns an empty page', async () => {
    const { own } = await seed(12);
    const first = await read(own, 'limit=1&country=%20de%20');
    const cursor = first.pagination.next_cursor;
    const next = await read(own, `limit=100&cursor=${cursor}`);
    expect([...first.data, ...next.data].map((row) => row.country)).toEqual(['DE', 'DE', 'DE', 'DE']);
    const repeated = await read(own, `limit=100&country=DE&cursor=${cursor}`);
    expect(repeated.body).toEqual(next.body);
    expect((await read(own, 'country=nowhere')).body).toEqual({
      data: [],
      pagination: { next_cursor: null, has_more: false },
    });
  });

  test.each(['to=0001-01-05', 'from=0001-01-01&to=0001-01-01', 'from=9999-01-01&to=9999-12-31'])(
    'a window may contain any date from year 1 to 9999: %s',
    async (query) => {
      const { own } = await seed(1);
      expect((await read(own, query)).data).toEqual([]);
    },
  );

  test('a brand whose event has not arrived yet is fetched from the catalog', async () => {
    const own = brandData();
    const stopCatalog = await results.serveCatalog([own]);
    expect((await read(own)).data).toEqual([]);
    expect(await read({ ...own, id: randomUUID() })).toMatchObject({ status: 404, code: 'not_found' });
    await stopCatalog();
  });
});

describe('400', () => {
  test.each([
    ['limit=0', 'limit', 'too_small'],
    ['limit=1001', 'limit', 'too_big'],
    ['limit=x', 'limit', 'invalid_type'],
    ['limit=1&limit=2', 'limit', 'invalid_type'],
    [`cursor=${'x'.repeat(2049)}`, 'cursor', 'too_big'],
  ])('validation_error for %s', async (query, path, code) => {
    const { own } = await seed(0);
    expect((await read(own, query)).refusal).toEqual({
      status: 400,
      code: 'validation_error',
      details: [{ path, code, message: expect.any(String) }],
    });
  });

  test('validation_error own_brand_only for a competitor', async () => {
    const competitor = brandData({ is_own: false });
    await addToCatalog(results, { brands: [competitor] });
    expect((await read(competitor)).refusal).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: [{ code: 'own_brand_only' }],
    });
  });

  test('invalid_cursor stale once a result is stored after the cursor was issued', async () => {
    const { own, prompt } = await seed(4);
    const query = `limit=1&cursor=${(await read(own, 'limit=1')).pagination.next_cursor}`;
    expect((await read(own, query)).status).toBe(200);
    await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }]));
    await waitForUnits(results, own, 5);
    expect((await read(own, query)).refusal).toEqual({
      status: 400,
      code: 'invalid_cursor',
      details: { reason: 'stale' },
    });
  });
});

describe('404', () => {
  test("not_found for another organisation's brand", async () => {
    const { own } = await seed(0);
    const stopCatalog = await results.serveCatalog();
    expect(await read({ ...own, org_id: randomUUID() })).toMatchObject({ status: 404, code: 'not_found' });
    await stopCatalog();
  });
});

describe('409', () => {
  test('scan_in_progress while an ended scan still waits for units, 200 afterwards', async () => {
    const { own, prompt } = await seed(1);
    const jobId = randomUUID();
    await results.emitJob(jobData(own, jobId));
    const refused = await eventually(async () => {
      const response = await read(own);
      expect(response.status).toBe(409);
      return response;
    });
    expect(refused.code).toBe('scan_in_progress');
    expect(refused.headers.get('retry-after')).toBe('5');
    await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }], { job_id: jobId }));
    await eventually(async () => expect((await read(own)).data).toHaveLength(2));
  });
});

describe('503', () => {
  test('api_unavailable if the catalog does not reply for an unknown brand', async () => {
    const response = await read(brandData());
    expect(response).toMatchObject({ status: 503, code: 'api_unavailable' });
    expect(response.headers.get('retry-after')).toBe('5');
  });
});
