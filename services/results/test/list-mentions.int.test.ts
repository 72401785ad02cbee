import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { brandChanged, findBrandRpc, jobChanged, promptChanged, serveRpc, unitFinalised } from '@bv/events';
import { eventually } from '@bv/testkit';
import {
  brandData,
  type Harness,
  knows,
  jobData,
  log,
  promptData,
  startResults,
  unitData,
} from './harness.ts';

let results: Harness;
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
});
afterAll(() => results.stop());

/** An own brand and a prompt with `count` finalised units, in ascending order of time. */
async function seed(count: number) {
  const own = brandData();
  const prompt = promptData(own);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  const units = Array.from({ length: count }, (_, index) =>
    unitData(prompt, [{ ...own, position: index % 2 === 0 ? 1 : null }], {
      country: index % 3 === 0 ? 'DE' : 'US',
      platform: index % 2 === 0 ? 'claude' : 'gemini',
      // Equal days, and times that are equal or differ by a microsecond. The id orders equal times.
      finalized_at: `2026-11-20T10:00:00.${String(123_456 + Math.floor(index / 2))}Z`,
    }),
  );
  for (const unit of units) await results.emit(unitFinalised, unit.unit_id, 1, unit);
  const path = `/orgs/${own.org_id}/brands/${own.id}/mentions`;
  const read = (query = '') => results.get(own.org_id, path + query);
  await eventually(async () => {
    const { rows } = await results.db.query('select count(*)::int as n from units where brand_id = $1', [
      own.id,
    ]);
    expect(rows[0].n).toBe(count);
  });
  await knows(results, { brands: [own], prompts: [prompt] });
  return { own, prompt, units, read };
}

type Row = { finalized_at: string; country: string; platform: string };

describe('200', () => {
  test('returns every row once, newest first, with every page size', async () => {
    const { read } = await seed(23);
    const allRows = await read('?limit=1000');
    expect(allRows.body.pagination).toEqual({ next_cursor: null, has_more: false });
    const times = (allRows.body.data as Row[]).map((row) => row.finalized_at);
    expect(times).toEqual(times.toSorted().reverse());
    for (const limit of [1, 2, 7, 22, 23]) {
      const rows: Row[] = [];
      let cursor: string | null = null;
      do {
        const page = await read(`?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
        expect(page.status).toBe(200);
        rows.push(...page.body.data);
        cursor = page.body.pagination.next_cursor;
        expect(page.body.pagination.has_more).toBe(cursor !== null);
      } while (cursor !== null);
      expect(rows).toEqual(allRows.body.data);
    }
  });

  test('position and sentiment are null, not 0, if the brand is not mentioned', async () => {
    const { read } = await seed(2);
    const { body } = await read();
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ mentioned: false, position: null, sentiment: null }),
        expect.objectContaining({ mentioned: true, position: 1, sentiment: 50 }),
      ]),
    );
  });

  test('the cursor contains the filters; a filter that no unit matches returns an empty page', async () => {
    const { read } = await seed(12);
    const first = await read('?limit=1&country=%20de%20');
    const next = await read(`?limit=100&cursor=${first.body.pagination.next_cursor}`);
    expect([...first.body.data, ...next.body.data].map((row: Row) => row.country)).toEqual([
      'DE',
      'DE',
      'DE',
      'DE',
    ]);
    const repeated = await read(`?limit=100&country=DE&cursor=${first.body.pagination.next_cursor}`);
    expect(repeated.body).toEqual(next.body);
    expect((await read('?country=nowhere')).body).toEqual({
      data: [],
      pagination: { next_cursor: null, has_more: false },
    });
  });

  test('a window may contain any date from year 1 to 9999', async () => {
    const { read } = await seed(1);
    for (const query of [
      '?to=0001-01-05',
      '?from=0001-01-01&to=0001-01-01',
      '?from=9999-01-01&to=9999-12-31',
    ]) {
      expect(await read(query)).toMatchObject({ status: 200, body: { data: [] } });
    }
  });

  test('a brand whose event has not arrived yet is fetched from the catalog', async () => {
    const own = brandData();
    const server = serveRpc(
      results.connection,
      findBrandRpc,
      async ({ id }) => (id === own.id ? { version: 1, data: own } : null),
      { queue: 'catalog', log },
    );
    await results.connection.connection.flush();
    const response = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/mentions`);
    expect(response).toMatchObject({ status: 200, body: { data: [] } });
    const missing = await results.get(own.org_id, `/orgs/${own.org_id}/brands/${randomUUID()}/mentions`);
    expect(missing).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    await server.stop();
  });
});

describe('400', () => {
  test.each([
    ['limit=0', 'limit', 'too_small'],
    ['limit=1001', 'limit', 'too_big'],
    ['limit=99999999999999999999', 'limit', 'too_big'],
    ['limit=-99999999999999999999', 'limit', 'too_small'],
    ['limit=x', 'limit', 'invalid_type'],
    ['limit=1&limit=2', 'limit', 'invalid_type'],
    ['platform=bard', 'platform', 'invalid_value'],
    ['country=', 'country', 'too_small'],
    ['country=%01', 'country', 'invalid_format'],
    ['country=US%0A', 'country', 'invalid_format'],
    ['country=%09US', 'country', 'invalid_format'],
    ['from=2026-1-1', 'from', 'invalid_format'],
    ['from=2026-02-30', 'from/to', 'invalid_date'],
    ['from=0000-01-01&to=0000-01-05', 'from/to', 'invalid_date'],
    ['from=2026-11-22', 'from/to', 'window_inverted'],
    ['from=2025-01-01', 'from/to', 'window_too_wide'],
    [`cursor=${'x'.repeat(2049)}`, 'cursor', 'too_big'],
  ])('validation_error for %s', async (query, path, code) => {
    const { read } = await seed(0);
    const { status, body } = await read(`?${query}`);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'validation_error' });
    expect(body.error.details).toEqual([{ path, code, message: expect.any(String) }]);
  });

  test('validation_error own_brand_only for a competitor', async () => {
    const competitor = brandData({ is_own: false });
    await results.emit(brandChanged, competitor.id, 1, competitor);
    await eventually(async () => {
      const { status, body } = await results.get(
        competitor.org_id,
        `/orgs/${competitor.org_id}/brands/${competitor.id}/mentions`,
      );
      expect({ status, details: body.error.details }).toMatchObject({
        status: 400,
        details: [{ code: 'own_brand_only' }],
      });
    });
  });

  test('invalid_cursor: filter_changed, window_changed, and without details for a foreign or forged cursor', async () => {
    const { read, own } = await seed(4);
    const other = await seed(4);
    const { next_cursor } = (await read('?limit=1&platform=claude&from=2026-11-01')).body.pagination;
    const refusal = async (query: string) => (await read(`?limit=1&cursor=${query}`)).body.error;
    expect(await refusal(`${next_cursor}&platform=gemini`)).toMatchObject({
      code: 'invalid_cursor',
      details: { reason: 'filter_changed', parameter: 'platform' },
    });
    expect(await refusal(`${next_cursor}&country=US`)).toMatchObject({
      details: { reason: 'filter_changed', parameter: 'country' },
    });
    expect(await refusal(`${next_cursor}&from=2026-11-02`)).toMatchObject({
      details: { reason: 'window_changed' },
    });
    expect(await refusal(`${next_cursor}&from=2026-11-01&to=2026-11-21`)).toBeUndefined();
    for (const response of [
      await refusal('abc'),
      (await other.read(`?limit=1&cursor=${next_cursor}`)).body.error,
      (await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/sources?cursor=${next_cursor}`))
        .body.error,
    ]) {
      expect(response.code).toBe('invalid_cursor');
      expect(response).not.toHaveProperty('details');
    }
  });

  test('invalid_cursor stale once a result is stored after the cursor was issued', async () => {
    const { read, prompt, own } = await seed(4);
    const { next_cursor } = (await read('?limit=1')).body.pagination;
    expect((await read(`?limit=1&cursor=${next_cursor}`)).status).toBe(200);
    const unit = unitData(prompt, [{ ...own, position: 1 }]);
    await results.emit(unitFinalised, unit.unit_id, 1, unit);
    await eventually(async () => {
      const { status, body } = await read(`?limit=1&cursor=${next_cursor}`);
      expect({ status, error: body.error }).toMatchObject({
        status: 400,
        error: { code: 'invalid_cursor', details: { reason: 'stale' } },
      });
    });
  });
});

describe('404', () => {
  test("not_found for another organisation's brand", async () => {
    const { own } = await seed(0);
    const orgId = randomUUID();
    const server = serveRpc(results.connection, findBrandRpc, async () => null, { queue: 'catalog', log });
    const response = await results.get(orgId, `/orgs/${orgId}/brands/${own.id}/mentions`);
    expect(response).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    await server.stop();
  });
});

describe('409', () => {
  test('scan_in_progress while an ended scan still waits for units, 200 afterwards', async () => {
    const { own, prompt, read } = await seed(1);
    const jobId = randomUUID();
    await results.emit(jobChanged, jobId, 2, jobData(own, jobId));
    await eventually(async () => {
      const { status, body, headers } = await read();
      expect({ status, code: body.error?.code, wait: headers.get('retry-after') }).toEqual({
        status: 409,
        code: 'scan_in_progress',
        wait: '5',
      });
    });
    const unit = unitData(prompt, [{ ...own, position: 1 }], { job_id: jobId });
    await results.emit(unitFinalised, unit.unit_id, 1, unit);
    await eventually(async () => expect((await read()).body.data).toHaveLength(2));
  });
});

describe('503', () => {
  test('api_unavailable if the catalog does not reply for an unknown brand', async () => {
    const orgId = randomUUID();
    const response = await results.get(orgId, `/orgs/${orgId}/brands/${randomUUID()}/mentions`);
    expect(response).toMatchObject({ status: 503, body: { error: { code: 'api_unavailable' } } });
    expect(response.headers.get('retry-after')).toBe('5');
  });
});
