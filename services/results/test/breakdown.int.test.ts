import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listBreakdown, listScores } from '@bv/contract';
import { addBrandWithUnits, toQuery, createUnit } from './check-windows.ts';
import { brandData, importLine, promptData } from './events.ts';
import { addToCatalog, importUnits, type Results, startResults, toBrandParams } from './results.ts';
import { toDay } from './unit-history.ts';

let results: Results;
beforeAll(async () => {
  // Today is 2026-11-21, a Saturday.
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());

/** Three prompts on two days of two weeks, on one platform. */
async function addSlices() {
  const rival = brandData({ is_own: false, name: 'Rival', domain: 'rival.com' });
  const { id, name, domain } = rival;
  const own = brandData({ org_id: rival.org_id, competitors: [{ id, name, domain }] });
  const [branded, plain, about] = [
    { ...promptData(own), text: 'Is Acme good?', tags: ['b', 'a'] },
    { ...promptData(own), text: 'Best anvil?', tags: ['a'] },
    { ...promptData(own), text: 'Is Rival good?', active: false },
  ];
  await addToCatalog(results, { brands: [rival, own], prompts: [branded, plain, about] });
  const line = (prompt: typeof branded, run_date: string, positions: (number | null)[], model = 'm-1') =>
    importLine(prompt, {
      run_date,
      model,
      brands: [own, rival].flatMap((brand, index) => {
        const position = positions[index];
        return position == null
          ? []
          : [{ brand_id: brand.id, position, sentiment: null, cited: index === 0 }];
      }),
    });
  await importUnits(results, [
    line(branded, '2026-11-12', [1, 2]),
    line(branded, '2026-11-17', [1, null]),
    line(plain, '2026-11-12', [null, 1]),
    line(plain, '2026-11-12', [2, 1], 'm-2'),
    { ...line(about, '2026-11-17', []), outcome: 'no_answer', model: null },
  ]);
  return { own, rival, branded, plain, about };
}

let slices: Awaited<ReturnType<typeof addSlices>>;
beforeAll(async () => {
  slices = await addSlices();
});

const list = (query: Record<string, string>) =>
  results.call(listBreakdown, { params: toBrandParams(slices.own), query: toQuery(query) });

const show = async (query: Record<string, string>) =>
  (await list(query)).data.map((row) => [row.key, row.date, row.units_total, row.units_mentioned]);

describe('rows', () => {
  test('by prompt: figures are means over cells, counts are of answers', async () => {
    const { data } = await list({ by: 'prompt' });
    const { branded, plain, about, rival } = slices;
    expect(data.map(({ key }) => key)).toEqual([branded.id, plain.id, about.id].toSorted());
    const rows = new Map(data.map((row) => [row.key, row]));
    expect(rows.get(plain.id)).toMatchObject({
      label: 'Best anvil?',
      date: null,
      prompt: { id: plain.id, text: 'Best anvil?', tags: ['a'], active: true },
      prompt_kind: 'unbranded',
      units_total: 2,
      units_answered: 2,
      units_mentioned: 1,
      units_cited: 1,
      units_mentioned_cited: 1,
      prompts_measured: 1,
      mention_rate: 50,
      // One prompt alone counts its answers as they are: Wilson with n = 2.
      mention_rate_low: 9.45,
      mention_rate_high: 90.55,
      average_position: 2,
      share_of_voice: 33.33,
      share_of_voice_low: null,
      is_imprecise: true,
      competitors: [{ brand_id: rival.id, name: 'Rival', units_mentioned: 2, mention_rate: 100 }],
    });
    expect(rows.get(branded.id)).toMatchObject({ prompt_kind: 'branded', units_mentioned: 2 });
    expect(rows.get(about.id)).toMatchObject({
      prompt_kind: 'competitor',
      prompt: { active: false },
      units_total: 1,
      units_answered: 0,
      mention_rate: null,
      is_imprecise: false,
      competitors: [{ units_mentioned: null, mention_rate: null }],
    });
  });

  test.each([
    [
      'a prompt with two tags is in both rows, one without is in the row of none',
      { by: 'tag' },
      [
        ['', 1],
        ['a', 4],
        ['b', 2],
      ],
    ],
    ['a platform', { by: 'platform' }, [['gemini', 5]]],
    ['a market', { by: 'country' }, [['DE', 5]]],
    [
      'a model, unknown for an answer that does not name it',
      { by: 'model' },
      [
        ['gemini/', 1],
        ['gemini/m-1', 3],
        ['gemini/m-2', 1],
      ],
    ],
    [
      'a kind of prompt',
      { by: 'prompt_kind' },
      [
        ['branded', 2],
        ['competitor', 1],
        ['unbranded', 2],
      ],
    ],
    [
      'all tags of the selected prompts',
      { by: 'tag', tag: 'b' },
      [
        ['a', 2],
        ['b', 2],
      ],
    ],
    ['prompts without tags', { by: 'platform', tag: '' }, [['gemini', 1]]],
    ['an unknown tag', { by: 'platform', tag: 'zzz' }, []],
    ['a kind as a filter', { by: 'platform', prompt_kind: 'unbranded' }, [['gemini', 2]]],
    ['a day', { by: 'platform', from: '2026-11-17', to: '2026-11-17' }, [['gemini', 2]]],
  ])('%s', async (_, query, expected) => {
    const rows = await show(query as Record<string, string>);
    expect(rows.map(([key, , units]) => [key, units])).toEqual(expected);
  });

  test('a series has a row for each day, or for each week from Monday', async () => {
    expect(await show({ by: 'platform', series: 'day' })).toEqual([
      ['gemini', '2026-11-12', 3, 2],
      ['gemini', '2026-11-17', 2, 1],
    ]);
    expect(await show({ by: 'platform', series: 'week' })).toEqual([
      ['gemini', '2026-11-09', 3, 2],
      ['gemini', '2026-11-16', 2, 1],
    ]);
  });

  test('a week at the edge holds the days of the window only', async () => {
    const query = { by: 'platform', series: 'week', from: '2026-11-17', to: '2026-11-18' };
    expect(await show(query)).toEqual([['gemini', '2026-11-16', 2, 1]]);
  });

  test.each([
    ['week', 5],
    ['none', 3],
  ])(
    'pages with series=%s continue behind the last row, without repeating the parameters',
    async (series, rows) => {
      const query = { by: 'tag', series };
      const all = await show(query);
      expect(all).toHaveLength(rows);
      const pages = [];
      let cursor: string | null = null;
      do {
        const page = await list(cursor === null ? { ...query, limit: '1' } : { cursor, limit: '1' });
        pages.push(...page.data.map((row) => [row.key, row.date, row.units_total, row.units_mentioned]));
        cursor = page.pagination.next_cursor;
      } while (cursor !== null);
      expect(pages).toEqual(all);
    },
  );
});

test.each([
  [{}, 400, { details: [{ path: 'by' }] }],
  [{ by: 'brand' }, 400, { details: [{ path: 'by' }] }],
  [{ by: 'tag', series: 'month' }, 400, { details: [{ path: 'series' }] }],
  [{ by: 'tag', from: '2026-11-20', to: '2026-11-19' }, 400, { details: [{ code: 'window_inverted' }] }],
])('%j is refused', async (query, status, error) => {
  const response = await list(query as Record<string, string>);
  expect(response.status).toBe(status);
  expect(response.error).toMatchObject(error);
});

test.each([
  ['by', 'platform'],
  ['series', 'day'],
  ['tag', 'a'],
  ['prompt_kind', 'branded'],
])('a cursor with another %s is filter_changed', async (parameter, value) => {
  const { pagination } = await list({ by: 'prompt', limit: '1' });
  const { error } = await list({ cursor: pagination.next_cursor!, [parameter]: value });
  expect(error).toMatchObject({ details: { reason: 'filter_changed', parameter } });
});

test('a competitor has no breakdown', async () => {
  const params = { orgId: slices.own.org_id, brandId: slices.rival.id };
  const { error } = await results.call(listBreakdown, { params, query: 'by=prompt' });
  expect(error).toMatchObject({ details: [{ code: 'own_brand_only' }] });
});

test('the slice of everything has the figures of the window, which another implementation computes', async () => {
  const brand = await addBrandWithUnits(results, 6, (promptIds) =>
    Array.from({ length: 7 }, (_, day) => toDay('2026-11-14', day)).flatMap((runDate, day) =>
      promptIds.flatMap((promptId, prompt) =>
        ['US', 'DE'].map((country, market) =>
          createUnit(promptId, runDate, {
            country,
            answered: (prompt + day) % 6 !== 0,
            position:
              (prompt + day) % 6 === 0 || (prompt * day + market) % 3 === 0 ? null : 1 + ((prompt + day) % 3),
            sentiment: 40 + prompt,
            cited: (prompt + day + market) % 4 === 0,
            competitors: (prompt + day) % 3,
          }),
        ),
      ),
    ),
  );
  await brand.importUnits(brand.units);
  const params = toBrandParams(brand.own);
  const query = 'from=2026-11-14&to=2026-11-20';
  const { data: slice } = await results.call(listBreakdown, { params, query: `${query}&by=platform` });
  const { data: window } = await results.call(listScores, { params, query: `${query}&window=7d&limit=1` });
  const figures = Object.keys(slice[0]!).filter((name) => name in window[0]!);
  expect(figures).toContain('average_position_high');
  const pick = (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => figures.includes(name)));
  expect(pick(slice[0]!)).toEqual(pick(window[0]!));
});
