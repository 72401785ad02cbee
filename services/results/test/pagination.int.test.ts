import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listMentions, listPromptResults, listSources, type Source } from '@bv/contract';
import { createPool, type Pool, transaction } from '@bv/postgres';
import { createMetrics } from '@bv/telemetry';
import fc from 'fast-check';
import { ingestUnits } from '../src/commands/ingest-units.ts';
import { unitData } from './events.ts';
import {
  addBrand,
  type ListResponse,
  type Results,
  startResults,
  toBrandParams,
  toPromptParams,
} from './results.ts';

let results: Results;
let pool: Pool;
let clock: Date;
beforeAll(async () => {
  results = await startResults({ now: () => clock });
  pool = createPool({
    connectionString: results.database.url,
    applicationName: 'test',
    log: results.log,
    metrics: createMetrics('test'),
  });
});
afterAll(async () => {
  await pool.end();
  await results.stop();
});
beforeEach(() => {
  clock = new Date('2026-11-20T23:59:59.500Z');
});

const listNames = ['results', 'mentions', 'sources'] as const;

async function seed() {
  const { own, prompt } = await addBrand(results);
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
  const params = toBrandParams(own);
  const lists = {
    results: (query: string) => results.call(listPromptResults, { params: toPromptParams(prompt), query }),
    mentions: (query: string) => results.call(listMentions, { params, query }),
    sources: (query: string) => results.call(listSources, { params, query }),
  };
  return { finalise, lists };
}

/** Reads pages of changing sizes until a page is stale or the list ends. Writes some units between pages. */
async function readPages(
  read: (query: string) => Promise<ListResponse>,
  steps: readonly { limit: number; writes: number }[],
  write: (count: number, step: number) => Promise<unknown>,
) {
  const rows: unknown[] = [];
  let cursor = '';
  let hasWritten = false;
  for (let step = 0; ; step += 1) {
    const { limit, writes } = steps[step % steps.length]!;
    const page = await read(`limit=${limit}${cursor}`);
    if (page.status !== 200) return { refusal: page.refusal, hasWritten, rows };
    rows.push(...page.data);
    const { next_cursor } = page.pagination;
    if (hasWritten || next_cursor === null) return { refusal: undefined, hasWritten, rows };
    cursor = `&cursor=${next_cursor}`;
    if (writes === 0) continue;
    await write(writes, step + 1);
    hasWritten = true;
  }
}

test('pages read during writes are complete without duplicates, or the cursor is stale', async () => {
  const outcomes = { complete: 0, stale: 0 };
  const stale = { status: 400, code: 'invalid_cursor', details: { reason: 'stale' } };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...listNames),
      fc.integer({ min: 0, max: 25 }),
      fc.array(fc.record({ limit: fc.integer({ min: 1, max: 9 }), writes: fc.constantFrom(0, 0, 0, 1, 3) }), {
        minLength: 1,
        maxLength: 40,
      }),
      async (name, count, steps) => {
        const { finalise, lists } = await seed();
        await finalise(count, 5);
        const all: ListResponse = await lists[name]('limit=200');
        const { refusal, hasWritten, rows } = await readPages(lists[name], steps, finalise);
        expect(refusal).toEqual(hasWritten ? stale : undefined);
        expect(rows).toEqual(hasWritten ? all.data.slice(0, rows.length) : all.data);
        outcomes[hasWritten ? 'stale' : 'complete'] += 1;
      },
    ),
    { numRuns: 60 },
  );
  expect(outcomes.complete).toBeGreaterThan(0);
  expect(outcomes.stale).toBeGreaterThan(0);
}, 120_000);

test.each(listNames)(
  'a first page of %s read during a write has all units of a batch or none',
  async (name) => {
    const { finalise, lists } = await seed();
    let isWriting = true;
    const writer = (async () => {
      for (let round = 1; round <= 30; round += 1) await finalise(7, round);
      isWriting = false;
    })();
    const counts: number[] = [];
    while (isWriting) {
      const { data } = await lists[name]('limit=200');
      const rows: readonly (object & Partial<Pick<Source, 'citations'>>)[] = data;
      counts.push(rows.reduce((sum, row) => sum + (row.citations ?? 1), 0));
    }
    await writer;
    // A page has at most 200 rows, which is no multiple of the size of a batch.
    expect(counts.filter((count) => count < 200 && count % 7 !== 0)).toEqual([]);
    expect(counts.some((count) => count > 0)).toBe(true);
  },
  60_000,
);

test.each(listNames)('a cursor of %s keeps its window when midnight passes', async (name) => {
  const { finalise, lists } = await seed();
  await finalise(5, 1);
  clock = new Date('2026-12-12T23:59:59.999Z');
  const all = await lists[name]('');
  const first = await lists[name]('limit=1');
  clock = new Date('2026-12-30T00:00:00.000Z');
  const cursor = first.pagination.next_cursor;
  const rest = await lists[name](`cursor=${cursor}`);
  expect([...first.data, ...rest.data]).toEqual(all.data);
  expect((await lists[name](`to=2026-12-30&cursor=${cursor}`)).refusal).toEqual({
    status: 400,
    code: 'invalid_cursor',
    details: { reason: 'window_changed' },
  });
});

test('a filter that no unit matches returns an empty page without reading units', async () => {
  const { finalise, lists } = await seed();
  await finalise(9, 2);
  const locked = await pool.connect();
  try {
    await locked.query('begin; lock table units in access exclusive mode');
    for (const name of listNames) {
      for (const query of ['country=NOWHERE', 'platform=claude', 'country=US&platform=claude']) {
        expect((await lists[name](query)).body).toEqual({
          data: [],
          pagination: { next_cursor: null, has_more: false },
        });
      }
    }
  } finally {
    await locked.query('rollback');
    locked.release();
  }
  for (const name of listNames) {
    expect((await lists[name]('country=US&platform=chatgpt')).data).not.toHaveLength(0);
  }
});
