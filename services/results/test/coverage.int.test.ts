import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { estimateCoverage, type Incidence } from '@bv/statistics';
import { addOwn, importAnswers, type Own, readCoverage } from './answers-with-names.ts';
import { reprocess } from './reprocess.ts';
import { type Results, startResults } from './results.ts';

let results: Results;
beforeAll(async () => {
  // Today is 2026-11-21.
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
});
afterAll(() => results.stop());

describe('coverage', () => {
  let brand: Own;
  const named: { prompt: number; names: string[]; urls: string[] }[] = Array.from(
    { length: 24 },
    (_, index) => ({
      prompt: index % 6,
      names: [
        'Globex',
        ...(index % 2 === 0 ? ['Acme'] : []),
        ...(index % 3 === 0 ? [`Zeta${index >> 1}`] : [`Only${index}`]),
      ],
      urls: [
        'https://forum.org/a',
        `https://forum.org/${index % 5}`,
        ...(index % 4 === 0 ? [`https://site${index >> 3}.com/${index}`] : []),
        ...(index % 10 === 0 ? [`https://solo${index}.com/`] : []),
      ],
    }),
  );
  beforeAll(async () => {
    brand = await addOwn(results, 6);
    await importAnswers(
      results,
      brand,
      named.map(({ prompt, names, urls }, index) => ({
        prompt: brand.prompts[prompt]!,
        names,
        run_date: `2026-11-${10 + (index % 4)}`,
        sources: urls.map((url) => ({ url, cited: true })),
      })),
    );
  });

  const hostOf = (url: string): string => new URL(url).hostname;
  test.each([
    ['brands', ({ names }: (typeof named)[number]) => names],
    ['domains', ({ urls }: (typeof named)[number]) => urls.map(hostOf)],
    ['pages', ({ urls }: (typeof named)[number]) => urls],
  ] as const)('of %s is that of the incidences of single answers', async (subject, toNames) => {
    const answers = named.map((each) => ({ prompt: each.prompt, names: new Set(toNames(each)) }));
    const count = (some: typeof answers): Incidence & { seen: number } => {
      const found = Map.groupBy(
        some.flatMap(({ names }) => [...names]),
        (name) => name,
      );
      const counts = [...found.values()].map(({ length }) => length);
      return {
        units: some.length,
        incidences: counts.reduce((sum, each) => sum + each, 0),
        once: counts.filter((each) => each === 1).length,
        twice: counts.filter((each) => each === 2).length,
        seen: counts.length,
      };
    };
    const total = count(answers);
    const prompts = [0, 1, 2, 3, 4, 5].map((prompt): Incidence => {
      const rest = count(answers.filter((answer) => answer.prompt !== prompt));
      return {
        units: total.units - rest.units,
        incidences: total.incidences - rest.incidences,
        once: total.once - rest.once,
        twice: total.twice - rest.twice,
      };
    });
    const expected = estimateCoverage(total, prompts);
    const round = (value: number | null): number | null =>
      value === null ? null : Math.round(value * 100) / 100;
    const rounded = ({ value, low, high }: typeof expected.coverage) => ({
      value: round(value),
      low: round(low),
      high: round(high),
    });
    expect(await readCoverage(results, brand, { subject })).toEqual({
      subject,
      from: '2026-10-22',
      to: '2026-11-21',
      units: 24,
      prompts: 6,
      seen: total.seen,
      seen_once: total.once,
      seen_twice: total.twice,
      coverage: rounded(expected.coverage),
      estimated_total: rounded(expected.estimatedTotal),
      next_100_units: round(expected.next100Units),
    });
    expect(expected.coverage.low).not.toBeNull();
  });

  test('of days without answers is unknown', async () => {
    const none = { value: null, low: null, high: null };
    expect(await readCoverage(results, brand, { subject: 'brands', to: '2026-11-01' })).toMatchObject({
      units: 0,
      prompts: 0,
      seen: 0,
      coverage: none,
      estimated_total: none,
      next_100_units: null,
    });
  });

  test('has no bounds for days of an earlier version, until they are reprocessed', async () => {
    const id = [brand.own.id];
    const before = await readCoverage(results, brand, { subject: 'domains' });
    await results.query(`update source_days set prompt_ids = '{}' where brand_id = $1`, id);
    await results.query('update units set others = null, informative = null where brand_id = $1', id);
    const { coverage } = await readCoverage(results, brand, { subject: 'domains' });
    expect(coverage).toEqual({ value: before.coverage.value, low: null, high: null });
    await reprocess(results, brand.own);
    expect(await readCoverage(results, brand, { subject: 'domains' })).toEqual(before);
  });
});
