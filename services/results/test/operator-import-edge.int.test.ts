import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listScores, listShareOfVoice } from '@bv/contract';
import { eventually } from '@bv/testkit';
import { brandData, importLine, promptData } from './events.ts';
import {
  addToCatalog,
  importUnits,
  readTokenVersion,
  type Results,
  startResults,
  toBrandParams,
} from './results.ts';

let results: Results;
const competitor = brandData({ is_own: false, name: 'Rival', domain: 'rival.com' });
const own = brandData({ org_id: competitor.org_id });
const linked = {
  ...own,
  competitors: [{ id: competitor.id, name: 'Rival', domain: 'rival.com' }],
};
const prompt = promptData(own);
const params = toBrandParams(own);

/** The projection has the brand without its competitor. Only the catalog has the linked competitor. */
beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog([linked, competitor], 2);
  await addToCatalog(results, { brands: [own], prompts: [prompt] });
});
afterAll(() => results.stop());

const line = (overrides: Record<string, unknown> = {}): string =>
  JSON.stringify(
    importLine(prompt, {
      answer_text: 'Acme leads.',
      brands: [{ brand_id: own.id, position: 1, sentiment: 90 }],
      ...overrides,
    }),
  );

const readAnswer = async (id: string) => {
  const [row] = await results.query<{ answer_text: string }>('select answer_text from units where id = $1', [
    id,
  ]);
  return row?.answer_text;
};

describe('201', () => {
  test('a competitor that was just linked is accepted', async () => {
    const brands = [{ brand_id: competitor.id, position: 1, sentiment: null }];
    const response = await importUnits(results, [line({ run_date: '2026-10-01', brands })]);
    expect(response.status).toBe(201);
    expect(response.data).toEqual({ imported: 1, duplicates: 0, skipped: 0, rejected: [] });
    const query = 'from=2026-10-01&to=2026-10-01';
    expect((await results.call(listShareOfVoice, { params, query })).data).toMatchObject([
      { brand_id: competitor.id, rank: 1, share_of_voice: 100 },
      { brand_id: own.id, rank: 2, share_of_voice: 0 },
    ]);
  });

  test('of lines with the same unit id the first is stored, within an import and across imports; the others are duplicates', async () => {
    const unit_id = randomUUID();
    const withAnswer = (answer_text: string) => line({ unit_id, answer_text });
    const first = await importUnits(results, ['first', 'second', 'third'].map(withAnswer));
    expect(first.data).toEqual({ imported: 1, duplicates: 2, skipped: 0, rejected: [] });
    const version = await readTokenVersion(results, own);
    const second = await importUnits(results, [withAnswer('fourth')]);
    expect(second.data).toEqual({ imported: 0, duplicates: 1, skipped: 0, rejected: [] });
    expect(await readTokenVersion(results, own)).toBe(version);
    expect(await readAnswer(unit_id)).toBe('first');
  });

  test('every invalid line is reported, even if there are many', async () => {
    const invalid = Array.from({ length: 12_345 }, () => 'x');
    const { data } = await importUnits(results, [...invalid, line()]);
    expect(data).toMatchObject({ imported: 1, duplicates: 0 });
    expect(data.rejected).toHaveLength(12_345);
    expect(data.rejected.at(-1)).toEqual({ line: 12_345, error: 'not valid JSON' });
  });

  test('only a line feed ends a line: a text may contain any other separator', async () => {
    const text = 'one\u2028two\u2029three\u0085four';
    const id = randomUUID();
    const { data } = await importUnits(results, [`${line({ unit_id: id, answer_text: text })}\r\n`]);
    expect(data).toEqual({ imported: 1, duplicates: 0, skipped: 0, rejected: [] });
    expect(await readAnswer(id)).toBe(text);
  });

  test('a line with values that cannot be stored is rejected by its number; the other lines are imported', async () => {
    const bad = [
      line({ brands: [{ brand_id: own.id, position: 3_000_000_000, sentiment: 1 }] }),
      line({ brands: [{ brand_id: own.id, position: 1, sentiment: 1, mention_count: 3_000_000_000 }] }),
      line({ run_date: '0000-01-01' }),
      line({ finalized_at: '0000-01-01T00:00:00Z' }),
      line({ finalized_at: '9999-12-31T23:59:59.9999999Z' }),
      line({ sources: [{ url: 'example.com/page' }] }),
      line({ sources: [{ url: 'https://a.com/\u0000' }] }),
      line({ sources: [{ url: 'https://a.com/\ud800' }] }),
      line({ sources: [{ url: `https://${'a'.repeat(300)}.com/` }] }),
      // A market that is longer than the filter accepts could never be requested.
      line({ country: 'ß'.repeat(200) }),
      line({ answer_text: 'x\u0000' }),
    ];
    const invalidUtf8 = Buffer.concat([
      Buffer.from(`${line().slice(0, -1)},"model":"`),
      Buffer.of(0xff),
      Buffer.from('"}'),
    ]);
    const body = Buffer.concat([
      Buffer.from(`${[line(), ...bad].join('\n')}\n`),
      invalidUtf8,
      Buffer.from(`\n${line()}`),
    ]);
    const { data } = await importUnits(results, body);
    expect(data.rejected.map((entry) => entry.line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(data).toMatchObject({ imported: 2, duplicates: 0 });
  });

  test('a line over the size limit is rejected', async () => {
    const { data } = await importUnits(results, [line(), `"${'x'.repeat(20_000_000)}"`, line(), '']);
    expect(data).toEqual({
      imported: 2,
      duplicates: 0,
      skipped: 0,
      rejected: [{ line: 2, error: expect.stringContaining('longer than') }],
    });
  });

  test('days of an import whose process ended early are scored by the next process that starts', async () => {
    const run_date = '2026-09-01';
    await importUnits(results, [line({ run_date })]);
    await results.query('delete from scores where brand_id = $1 and run_date = $2', [own.id, run_date]);
    await results.query('insert into unscored_days values ($1, $2)', [own.id, run_date]);
    await results.startReplica();
    const query = `from=${run_date}&to=${run_date}`;
    await eventually(async () => {
      expect((await results.call(listScores, { params, query })).data).toMatchObject([{ score: 100 }]);
    });
    expect(await results.query('select 1 from unscored_days')).toHaveLength(0);
  });
});
