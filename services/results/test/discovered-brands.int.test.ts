import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getCoverage, listDiscoveredBrands, listScores, operatorDeleteBrandUnits } from '@bv/contract';
import { addOwn, importAnswers, type Own, readCoverage } from './answers-with-names.ts';
import { brandData, type Prompt } from './events.ts';
import { toQuery } from './check-windows.ts';
import { readResults, reprocess } from './reprocess.ts';
import { addToCatalog, type Results, startResults, toBrandParams, waitUntilHandled } from './results.ts';
import { endRetention, serveOrgs } from './retention.ts';

let results: Results;
beforeAll(async () => {
  // Today is 2026-11-21.
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
});
afterAll(() => results.stop());

const list = (own: Own, query: Record<string, string> = {}) =>
  results.call(listDiscoveredBrands, { params: toBrandParams(own.own), query: toQuery(query) });
const keysOf = async (own: Own, query: Record<string, string> = {}) =>
  (await list(own, query)).data.map(({ name, units_mentioned }) => [name, units_mentioned]);

/** Links a competitor. Returns both brands. */
async function link({ own }: Own, name: string, domain: string) {
  const rival = brandData({ org_id: own.org_id, is_own: false, name, domain });
  const linked = { ...own, competitors: [{ id: rival.id, name, domain }] };
  await waitUntilHandled(results, await results.emitBrand(rival), await results.emitBrand(linked, 2));
  return [linked, rival] as const;
}

describe('answers of two prompts', () => {
  let brand: Own;
  const ids = ['1', '2', '3', '4'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
  beforeAll(async () => {
    brand = await addOwn(results, 2);
    const [first, second] = brand.prompts as [Prompt, Prompt];
    await importAnswers(results, brand, [
      { unit_id: ids[0], prompt: first, names: ['Globex', 'Acme', 'Initech'] },
      {
        unit_id: ids[1],
        prompt: first,
        names: ['Initech', 'Globex'],
        run_date: '2026-11-20',
        platform: 'chatgpt',
      },
      { unit_id: ids[2], prompt: second, names: ['Acme', 'Globex'], run_date: '2026-11-20' },
      { prompt: second, names: [], answer_text: 'It depends.', finalized_at: '2026-11-19T10:00:00Z' },
      { unit_id: ids[3], prompt: second, names: [], answer_text: null, finalized_at: '2026-11-19T11:00:00Z' },
    ]);
  });

  test('a row has the rates, ranks and examples of a name', async () => {
    const { data } = await list(brand);
    expect(data).toMatchObject([
      {
        key: 'globex',
        name: 'Globex',
        spellings: ['Globex'],
        suggested_domain: null,
        kind: 'unknown',
        units_mentioned: 3,
        // Cells: 1 of 1, 1 of 1 and 1 of 2.
        mention_rate: 83.33,
        prompts: 2,
        platforms: ['chatgpt', 'gemini'],
        average_position: 1.67,
        first_seen: '2026-11-19',
        last_seen: '2026-11-20',
        examples: [{ result_id: ids[2] }, { result_id: ids[1] }, { result_id: ids[0], start: 19, end: 25 }],
      },
      { key: 'initech', units_mentioned: 2, mention_rate: 66.67, average_position: 2, prompts: 1 },
    ]);
    expect(data[0]?.mention_rate_low).toBeLessThan(83.33);
    expect(data[0]?.mention_rate_high).toBeGreaterThan(83.33);
  });

  test('a result has the other names, and says whether it names a company', async () => {
    const found = (await Promise.all(brand.prompts.map((prompt) => readResults(results, prompt)))).flat();
    const byId = new Map(found.map((result) => [result.id, result]));
    expect(byId.get(ids[0]!)).toMatchObject({
      others: [
        { name: 'Globex', start: 19, end: 25 },
        { name: 'Initech', start: 71, end: 78 },
      ],
      informative: true,
    });
    const empty = found.filter(({ others }) => others.length === 0).map(({ informative }) => informative);
    expect(empty).toEqual([null, false]);
  });

  test('the scores have the share of answers that name a company', async () => {
    const params = toBrandParams(brand.own);
    const day = (await results.call(listScores, { params, query: 'to=2026-11-19' })).data;
    // The answer without a text is the latest of its cell.
    expect(day).toMatchObject([{ units_answered: 2, units_informative: 1, informative_rate: 100 }]);
    const week = (await results.call(listScores, { params, query: 'window=7d&to=2026-11-20' })).data;
    expect(week[0]).toMatchObject({ units_answered: 5, units_informative: 3, informative_rate: 75 });
  });

  test('platform, market, window and min_units select', async () => {
    expect(await keysOf(brand, { min_units: '1', platform: 'chatgpt' })).toEqual([
      ['Globex', 1],
      ['Initech', 1],
    ]);
    expect(await keysOf(brand, { min_units: '3' })).toEqual([['Globex', 3]]);
    expect(await keysOf(brand, { min_units: '1', to: '2026-11-19' })).toEqual([
      ['Globex', 1],
      ['Initech', 1],
    ]);
    expect(await keysOf(brand, { country: 'US' })).toEqual([]);
  });

  test('a later page has the filters of its cursor', async () => {
    const first = await list(brand, { limit: '1', min_units: '1' });
    expect(first.data.map(({ name }) => name)).toEqual(['Globex']);
    const cursor = first.pagination.next_cursor!;
    expect(await keysOf(brand, { limit: '1', cursor })).toEqual([['Initech', 2]]);
    const { error } = await list(brand, { cursor, min_units: '2' });
    expect(error).toMatchObject({ details: { reason: 'filter_changed', parameter: 'min_units' } });
  });
});

test('without a stored text it is not known how many answers name a company', async () => {
  const brand = await addOwn(results, 1);
  await importAnswers(results, brand, [{ prompt: brand.prompts[0], names: [], answer_text: null }]);
  const unknown = { units_answered: 1, units_informative: null, informative_rate: null };
  for (const window of ['day', '7d']) {
    const call = { params: toBrandParams(brand.own), query: `window=${window}` };
    expect((await results.call(listScores, call)).data).toMatchObject([unknown]);
  }
});

test('a linked name is hidden at once, and has a complete history after a reprocess', async () => {
  const brand = await addOwn(results, 1);
  const [prompt] = brand.prompts;
  await importAnswers(results, brand, [
    { prompt, names: ['Globex', 'Initech'] },
    { prompt, names: ['Globex', 'Initech'], run_date: '2026-11-20' },
  ]);
  const [linked, rival] = await link(brand, 'Globex Inc.', 'globex.com');
  expect(await keysOf(brand)).toEqual([['Initech', 2]]);
  const stopCatalog = await results.serveCatalog([linked, rival], 2);
  await reprocess(results, brand.own);
  await stopCatalog();
  expect(await keysOf(brand)).toEqual([['Initech', 2]]);
  const found = await readResults(results, prompt);
  expect(found.map(({ others, brands }) => [others.map(({ name }) => name), brands[1]?.mentioned])).toEqual([
    [['Initech'], true],
    [['Initech'], true],
  ]);
  expect(await readCoverage(results, brand, { subject: 'brands' })).toMatchObject({ seen: 2, seen_twice: 2 });
});

test('a form of a linked name in the language of the market is hidden', async () => {
  const brand = await addOwn(results, 1);
  const [prompt] = brand.prompts;
  await importAnswers(results, brand, [
    // The genitive in German.
    { prompt, names: ['Contosos', 'Initech'] },
    { prompt, names: ['Contosos', 'Initech'], run_date: '2026-11-20' },
  ]);
  await link(brand, 'Contoso', 'contoso.com');
  expect(await keysOf(brand)).toEqual([['Initech', 2]]);
});

describe('after the end of the retention of texts', () => {
  let brand: Own;
  beforeAll(async () => {
    brand = await addOwn(results, 1);
    const [prompt] = brand.prompts;
    await importAnswers(results, brand, [
      { prompt, names: ['Globex'], run_date: '2026-11-10', finalized_at: '2026-11-10T12:00:00Z' },
      { prompt, names: ['Globex'], run_date: '2026-11-20' },
    ]);
    const orgs = await serveOrgs(results);
    await endRetention(results, { answerTextDays: 5 });
    await orgs.stop();
  });

  test('names leave with the texts, and examples with them; the sums of the days stay', async () => {
    const found = await readResults(results, brand.prompts[0]);
    expect(found.map(({ others, informative }) => [others.length, informative])).toEqual([
      [1, true],
      [0, null],
    ]);
    const stored = 'select run_date::text from units where brand_id = $1 and others is not null';
    expect(await results.query(stored, [brand.own.id])).toEqual([{ run_date: '2026-11-20' }]);
    const { data } = await list(brand);
    expect(data).toMatchObject([{ units_mentioned: 2, examples: [{ result_id: found[0]!.id }] }]);
  });

  test('a day that is scored again keeps its names, until answers of it are deleted', async () => {
    const params = toBrandParams(brand.own);
    const readDay = async () => (await results.call(listScores, { params, query: 'to=2026-11-10' })).data;
    await importAnswers(results, brand, [
      {
        prompt: brand.prompts[0],
        names: ['Initech'],
        run_date: '2026-11-10',
        finalized_at: '2026-11-10T10:00:00Z',
        country: 'US',
      },
    ]);
    expect(await readDay()).toMatchObject([
      { units_answered: 2, units_informative: 1, informative_rate: 100 },
    ]);
    expect(await list(brand)).toMatchObject({ data: [{ units_mentioned: 2, mention_rate: 100 }] });
    await results.call(operatorDeleteBrandUnits, {
      params: { brandId: brand.own.id },
      body: { from: '2026-11-10', to: '2026-11-10', import_only: true },
    });
    expect(await keysOf(brand, { min_units: '1' })).toEqual([['Globex', 1]]);
  });
});

describe('refusals', () => {
  let rival: Own;
  beforeAll(async () => {
    rival = await addOwn(results, 0);
  });

  test.each([
    [listDiscoveredBrands, 'min_units=0', { path: 'min_units' }],
    [listDiscoveredBrands, 'min_units=1001', { path: 'min_units' }],
    [listDiscoveredBrands, 'from=2026-08-01&to=2026-11-01', { code: 'window_too_wide' }],
    [listDiscoveredBrands, 'platform=bard', { path: 'platform' }],
    [getCoverage, '', { path: 'subject' }],
    [getCoverage, 'subject=words', { path: 'subject' }],
    [getCoverage, 'subject=brands&from=2026-11-02&to=2026-11-01', { code: 'window_inverted' }],
    [getCoverage, 'subject=brands&country=', { path: 'country' }],
  ])('$0.id with $1', async (operation, query, detail) => {
    const { status, error } = await results.call(operation, { params: toBrandParams(rival.own), query });
    expect(status).toBe(400);
    expect(error).toMatchObject({ details: [detail] });
  });

  test.each([listDiscoveredBrands, getCoverage])('of a competitor: $id', async (operation) => {
    const competitor = brandData({ is_own: false });
    await addToCatalog(results, { brands: [competitor] });
    const call = { params: toBrandParams(competitor), query: 'subject=brands' };
    expect((await results.call(operation, call)).error).toMatchObject({
      details: [{ code: 'own_brand_only' }],
    });
  });
});
