import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool, transaction } from '@bv/postgres';
import { brandChanged, promptChanged } from '@bv/events';
import { createMetrics } from '@bv/telemetry';
import fc from 'fast-check';
import { ingestUnits } from '../src/commands/ingest-units.ts';
import { brandData, type Harness, log, promptData, startResults, unitData, knows } from './harness.ts';

let results: Harness;
let pool: Pool;
let clock = new Date('2026-11-20T23:59:59.500Z');
beforeAll(async () => {
  results = await startResults({ now: () => clock });
  pool = createPool({
    connectionString: results.url,
    applicationName: 'test',
    log,
    metrics: createMetrics('test'),
  });
});
afterAll(async () => {
  await pool.end();
  await results.stop();
});

async function seed() {
  const own = brandData();
  const prompt = promptData(own);
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  await knows(results, { brands: [own], prompts: [prompt] });
  const finalise = (count: number, salt: number) =>
    transaction(pool, (tx) =>
      ingestUnits(
        tx,
        Array.from({ length: count }, (_, index) =>
          unitData(prompt, [{ ...own, position: 1 }], {
            // Days and times repeat, so the id decides the order. Some units sort before rows that were already read.
            run_date: `2026-11-${10 + ((index * salt) % 9)}`,
            finalized_at: `2026-11-20T10:00:00.00000${(index + salt) % 4}Z`,
            sources: [
              {
                position: 1,
                url: `https://s${(index * salt) % 7}.com/`,
                domain: '',
                title: null,
                cited: true,
              },
            ],
          }),
        ),
      ),
    );
  const org = `/orgs/${own.org_id}`;
  return {
    finalise,
    own,
    paths: {
      results: `${org}/prompts/${prompt.id}/results`,
      mentions: `${org}/brands/${own.id}/mentions`,
      sources: `${org}/brands/${own.id}/sources`,
    },
  };
}

type List = 'results' | 'mentions' | 'sources';

test('pages read during writes are complete without duplicates, or the cursor is stale', async () => {
  const outcomes = { complete: 0, stale: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<List>('results', 'mentions', 'sources'),
      fc.integer({ min: 0, max: 25 }),
      fc.array(fc.record({ limit: fc.integer({ min: 1, max: 9 }), writes: fc.constantFrom(0, 0, 0, 1, 3) }), {
        minLength: 1,
        maxLength: 40,
      }),
      async (list, count, steps) => {
        const { finalise, own, paths } = await seed();
        await finalise(count, 5);
        const read = (query: string) => results.get(own.org_id, paths[list] + query);
        const allRows = (await read('?limit=200')).body.data as unknown[];
        const seen: unknown[] = [];
        let cursor: string | null = null;
        let written = false;
        for (let step = 0; ; step += 1) {
          const { limit, writes } = steps[step % steps.length] ?? { limit: 1, writes: 0 };
          const page = await read(`?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
          if (written) {
            expect(page).toMatchObject({
              status: 400,
              body: { error: { code: 'invalid_cursor', details: { reason: 'stale' } } },
            });
            outcomes.stale += 1;
            return;
          }
          expect(page.status).toBe(200);
          seen.push(...page.body.data);
          cursor = page.body.pagination.next_cursor;
          if (cursor === null) break;
          if (writes > 0) await finalise(writes, step + 1);
          written = writes > 0;
        }
        expect(seen).toEqual(allRows);
        outcomes.complete += 1;
      },
    ),
    { numRuns: 60 },
  );
  expect(outcomes.complete).toBeGreaterThan(0);
  expect(outcomes.stale).toBeGreaterThan(0);
}, 120_000);

test.each<List>(['results', 'mentions', 'sources'])(
  'a first page of %s read during a write has all units of a batch or none',
  async (list) => {
    const { finalise, own, paths } = await seed();
    let writing = true;
    const writer = (async () => {
      for (let round = 1; round <= 30; round += 1) await finalise(7, round);
      writing = false;
    })();
    while (writing) {
      const { status, body } = await results.get(own.org_id, `${paths[list]}?limit=200`);
      expect(status).toBe(200);
      const rows = body.data as { citations?: number }[];
      const stored =
        list === 'sources' ? rows.reduce((sum, row) => sum + (row.citations ?? 0), 0) : rows.length;
      if (stored < 200) expect(stored % 7).toBe(0);
    }
    await writer;
  },
  60_000,
);

test('a cursor keeps its window when midnight passes', async () => {
  const { finalise, own, paths } = await seed();
  await finalise(5, 1);
  for (const path of Object.values(paths)) {
    clock = new Date('2026-12-12T23:59:59.999Z');
    const allRows = (await results.get(own.org_id, path)).body.data as unknown[];
    const first = await results.get(own.org_id, `${path}?limit=1`);
    clock = new Date('2026-12-30T00:00:00.000Z');
    const rest = await results.get(own.org_id, `${path}?cursor=${first.body.pagination.next_cursor}`);
    expect([...first.body.data, ...rest.body.data]).toEqual(allRows);
    const changed = await results.get(
      own.org_id,
      `${path}?to=2026-12-30&cursor=${first.body.pagination.next_cursor}`,
    );
    expect(changed.body.error).toMatchObject({
      code: 'invalid_cursor',
      details: { reason: 'window_changed' },
    });
  }
});

test('a filter that no unit matches returns an empty page without reading units', async () => {
  const { finalise, own, paths } = await seed();
  clock = new Date('2026-11-21T12:00:00Z');
  await finalise(9, 2);
  const locked = await pool.connect();
  try {
    await locked.query('begin; lock table units in access exclusive mode');
    for (const path of Object.values(paths)) {
      for (const query of ['?country=NOWHERE', '?platform=claude', '?country=US&platform=claude']) {
        expect(await results.get(own.org_id, path + query)).toMatchObject({
          status: 200,
          body: { data: [], pagination: { next_cursor: null, has_more: false } },
        });
      }
    }
  } finally {
    await locked.query('rollback');
    locked.release();
  }
  for (const path of Object.values(paths)) {
    const { body } = await results.get(own.org_id, `${path}?country=US&platform=chatgpt`);
    expect(body.data.length).toBeGreaterThan(0);
  }
});
