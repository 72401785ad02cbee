import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { checkFigures } from './check-figures.ts';
import { brandData, promptData } from './events.ts';
import type { Line, Tracked } from './expected-figures.ts';
import { addToCatalog, importUnits, type Results, startResults } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());

const days = ['2026-11-17', '2026-11-18', '2026-11-20'];
const platforms = ['chatgpt', 'gemini'] as const;
const countries = ['DE', 'US'];

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
  unresolved: fc.constantFrom(0, 0, 1, 3),
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
    competitors: others.map(({ id, name, domain }) => ({ id, name, domain })),
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
    sources_unresolved: generated.unresolved,
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
      const subject = { ...fixture, activePrompts: 2, days, platforms, countries };
      await checkFigures(results, subject, lines);
    }),
    { numRuns: 25 },
  );
}, 120_000);
