import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { listBrandSummaries, listScores, listShareOfVoice, listSources } from '@bv/contract';
import fc from 'fast-check';
import { brandData, promptData } from './events.ts';
import {
  expectedScore,
  expectedShares,
  expectedSources,
  selectLatest,
  type Line,
  type Tracked,
} from './expected-figures.ts';
import { addToCatalog, importUnits, type Results, startResults, toBrandParams } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());

const days = ['2026-11-17', '2026-11-18', '2026-11-20'];
const platforms = ['chatgpt', 'gemini'] as const;
const countries = ['DE', 'US'];
const window = `from=${days[0]}&to=${days.at(-1)}`;

/** A generated unit. It refers to brands and prompts by index, which `toLine` replaces with the ids of the fixture. */
const unitArbitrary = fc.record({
  prompt: fc.nat({ max: 1 }),
  platform: fc.constantFrom(...platforms),
  country: fc.constantFrom(...countries),
  run_date: fc.constantFrom(...days),
  answered: fc.boolean().chain((often) => fc.constantFrom(true, true, often)),
  found: fc.array(
    fc.record({
      position: fc.option(fc.integer({ min: 1, max: 6 })),
      sentiment: fc.option(fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100)),
      cited: fc.constantFrom(undefined, undefined, true, false),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  links: fc.array(
    fc.record({
      site: fc.constantFrom('own', 'competitor', 'news-one.com', 'news-two.org'),
      page: fc.nat({ max: 7 }),
      cited: fc.constantFrom(true, true, false),
    }),
    { maxLength: 6 },
  ),
  /** Whether the unit is in the second import. */
  late: fc.boolean(),
});
type GeneratedUnit = typeof unitArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** An own brand with `competitorCount` competitors and two prompts, projected by the service. */
async function createBrand(competitorCount: number) {
  const org_id = randomUUID();
  const names = Array.from(
    { length: competitorCount },
    (_, index) => `competitor-${index}-${randomUUID().slice(0, 8)}.com`,
  );
  const others = names.map((domain) => brandData({ org_id, is_own: false, name: domain, domain }));
  const own = brandData({
    org_id,
    domain: `own-${randomUUID().slice(0, 8)}.com`,
    competitors: others.map(({ id, name, domain }) => ({ id, name, domain, aliases: [] })),
  });
  const prompts = [promptData(own), promptData(own)];
  await addToCatalog(results, { brands: [...others, own], prompts });
  const tracked: Tracked[] = [own, ...others].map(({ id, domain }) => ({ id, host: domain }));
  return { own, prompts, tracked };
}
type Fixture = Awaited<ReturnType<typeof createBrand>>;

function toLine(generated: GeneratedUnit, index: number, { prompts, tracked }: Fixture): Line {
  const hosts: Record<string, string | undefined> = { own: tracked[0]?.host, competitor: tracked[1]?.host };
  return {
    unit_id: randomUUID(),
    prompt_id: prompts[generated.prompt]?.id ?? '',
    platform: generated.platform,
    country: generated.country,
    run_date: generated.run_date,
    // Late units are finalised later. The order of lines differs from the order of time.
    finalized_at: `${generated.run_date}T${generated.late ? 20 : 10}:00:00.${String((index * 7_919) % 1_000).padStart(6, '0')}Z`,
    outcome: generated.answered ? 'answered' : 'no_answer',
    brands: tracked.flatMap(({ id }, place) => {
      const found = generated.found[place];
      if (found === undefined) return [];
      const { cited, sentiment } = found;
      const position = generated.answered ? found.position : null;
      return [{ brand_id: id, position, sentiment, ...(cited === undefined ? {} : { cited }) }];
    }),
    sources: generated.links.map(({ site, page, cited }) => ({
      url: `https://www.${hosts[site] ?? (site.includes('.') ? site : 'unrelated.net')}/page-${page}`,
      cited,
    })),
  };
}

async function importLines(fixture: Fixture, lines: readonly Line[]): Promise<void> {
  const brand_id = fixture.own.id;
  const { data } = await importUnits(
    results,
    lines.map((line) => ({ ...line, brand_id })),
  );
  expect(data.rejected).toEqual([]);
}

const difference = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : Math.round((now - before) * 100) / 100;

async function checkScores(
  fixture: Fixture,
  lines: readonly Line[],
  country: string | undefined,
): Promise<void> {
  const inSeries = selectLatest(lines).filter((line) => country === undefined || line.country === country);
  const filter = country === undefined ? '' : `&country=${country}`;
  const params = toBrandParams(fixture.own);
  const rows = (await results.call(listScores, { params, query: `${window}${filter}` })).data;
  const scoredDays = days.filter((day) => inSeries.some((line) => line.run_date === day)).toReversed();
  expect(rows.map((row) => row.run_date)).toEqual(scoredDays);
  for (const [index, day] of scoredDays.entries()) {
    const dayLines = inSeries.filter((line) => line.run_date === day);
    const { row, interval } = expectedScore(dayLines, fixture.tracked);
    const previous = rows[index + 1]?.score ?? null;
    const cells = platforms
      .map((platform) => ({ platform, units: dayLines.filter((line) => line.platform === platform) }))
      .filter(({ units }) => units.length > 0)
      .map(({ platform, units }) => {
        const { score, mention_rate, units_answered } = expectedScore(units, fixture.tracked).row;
        return { platform, score, mention_rate, units_answered };
      });
    expect(rows[index]).toMatchObject({
      ...row,
      country: country ?? null,
      previous_score: previous,
      change: difference(row.score, previous),
      platforms: cells,
    });
    const { mention_rate_low: low, mention_rate_high: high } = rows[index]!;
    expect(low === null).toBe(interval === null);
    if (interval === null) continue;
    expect(low).toBeCloseTo(interval.low, 1.9);
    expect(high).toBeCloseTo(interval.high, 1.9);
  }
}

async function checkShares(fixture: Fixture, lines: readonly Line[]): Promise<void> {
  for (const platform of [undefined, 'gemini']) {
    for (const country of [undefined, 'DE']) {
      const latest = selectLatest(lines).filter(
        (line) =>
          (platform === undefined || line.platform === platform) &&
          (country === undefined || line.country === country),
      );
      const filters = `${platform ? `&platform=${platform}` : ''}${country ? `&country=${country}` : ''}`;
      const expected = days.toReversed().flatMap((day) =>
        expectedShares(
          latest.filter((line) => line.run_date === day),
          fixture.tracked,
        ).map((row) => ({ ...row, run_date: day })),
      );
      const params = toBrandParams(fixture.own);
      const query = `${window}${filters}&limit=200`;
      const rows = (await results.call(listShareOfVoice, { params, query })).data;
      expect(rows).toHaveLength(expected.length);
      expect(rows).toMatchObject(expected);
    }
  }
}

async function checkSources(fixture: Fixture, lines: readonly Line[]): Promise<void> {
  const [own = { id: '', host: '' }] = fixture.tracked;
  for (const country of [undefined, 'US']) {
    const inMarket = lines.filter((line) => country === undefined || line.country === country);
    const expected = expectedSources(inMarket, own);
    const params = toBrandParams(fixture.own);
    const query = `${window}${country ? `&country=${country}` : ''}&limit=200`;
    const rows = (await results.call(listSources, { params, query })).data;
    expect(rows).toHaveLength(expected.length);
    expect(rows).toMatchObject(expected);
  }
}

/** The summary of the brand by its latest two scores. */
async function expectedSummary({ own }: Fixture) {
  const { data } = await results.call(listScores, { params: toBrandParams(own), query: window });
  const [latest, before] = data;
  const previous = before?.score ?? null;
  return {
    id: own.id,
    score: latest!.score,
    previous_score: previous,
    score_change: difference(latest!.score, previous),
    score_date: latest!.run_date,
    sentiment: latest!.sentiment,
    share_of_voice: latest!.share_of_voice,
    average_position: latest!.average_position,
    active_prompts: 2,
  };
}

test('every figure matches the published formulas for the imported units, including late and repeated units', async () => {
  const cases = fc.record({
    competitorCount: fc.integer({ min: 0, max: 3 }),
    units: fc.array(unitArbitrary, { minLength: 1, maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ competitorCount, units }) => {
      const fixture = await createBrand(competitorCount);
      const lines = units.map((generated, index) => toLine(generated, index, fixture));
      const early = lines.filter((_line, index) => units[index]?.late === false);
      const late = lines.filter((_line, index) => units[index]?.late === true);
      await importLines(fixture, early);
      // The second import repeats the lines of the first.
      await importLines(fixture, [...late, ...early]);
      for (const country of [undefined, ...countries]) await checkScores(fixture, lines, country);
      await checkShares(fixture, lines);
      await checkSources(fixture, lines);
      const summaries = await results.call(listBrandSummaries, { params: toBrandParams(fixture.own) });
      expect(summaries.data).toMatchObject([await expectedSummary(fixture)]);
    }),
    { numRuns: 25 },
  );
}, 120_000);

test('the migrations compute the same sums for existing units as the service does when it stores units', async () => {
  const tables = ['unit_markets', 'source_days', 'source_pages', 'answered_days'];
  const sums = () =>
    Promise.all(tables.map((table) => results.query(`select * from ${table} t order by t::text`)));
  const expected = await sums();
  for (const rows of expected) expect(rows.length).toBeGreaterThan(0);
  await results.query(`truncate ${tables.join(', ')}`);
  for (const name of ['0007_unit_markets', '0008_source_days']) {
    const text = await readFile(new URL(`../migrations/${name}.sql`, import.meta.url), 'utf8');
    for (const [insert] of text.matchAll(/^insert into [^;]+;/gms)) await results.query(insert);
  }
  expect(await sums()).toEqual(expected);
});
