import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  brandChanged,
  findBrandRpc,
  findPromptRpc,
  promptChanged,
  type RpcServer,
  serveRpc,
} from '@bv/events';
import { eventually, testCaller } from '@bv/testkit';
import fc from 'fast-check';
import {
  expectedScore,
  expectedShares,
  expectedSources,
  selectLatest,
  type Line,
  type Tracked,
} from './expected-figures.ts';
import { brandData, type Harness, log, promptData, serveMarkets, startResults } from './harness.ts';

let results: Harness;
let servers: RpcServer[];
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  // The catalog has no brands and prompts beyond its events.
  servers = [findBrandRpc, findPromptRpc].map((rpc) =>
    serveRpc(results.connection, rpc, async () => null, { queue: 'catalog', log }),
  );
  servers.push(serveMarkets(results));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await results.stop();
});

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
  for (const brand of [...others, own]) await results.emit(brandChanged, brand.id, 1, brand);
  for (const prompt of prompts) await results.emit(promptChanged, prompt.id, 1, prompt);
  await eventually(async () => {
    expect(await results.query('select 1 from prompts where brand_id = $1', [own.id])).toHaveLength(2);
    expect(await results.query('select 1 from brands where org_id = $1', [org_id])).toHaveLength(
      competitorCount + 1,
    );
  });
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
  const response = await results.call({
    method: 'POST',
    path: '/operator/v1/results/import',
    caller: testCaller({ orgId: null, owner: { kind: 'operator', id: 'operator' } }),
    body: lines.map((line) => JSON.stringify({ ...line, brand_id: fixture.own.id })).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(response.status).toBe(201);
  expect(response.body.data.rejected).toEqual([]);
}

async function read(fixture: Fixture, path: string) {
  const { org_id, id } = fixture.own;
  const response = await results.get(org_id, `/orgs/${org_id}/brands/${id}/${path}`);
  expect(response.status).toBe(200);
  return response.body.data;
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
  const rows = await read(fixture, `scores?${window}${filter}`);
  const scoredDays = days.filter((day) => inSeries.some((line) => line.run_date === day)).toReversed();
  expect(rows.map((row: { run_date: string }) => row.run_date)).toEqual(scoredDays);
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
    expect(rows[index].mention_rate_low === null).toBe(interval === null);
    if (interval === null) continue;
    expect(rows[index].mention_rate_low).toBeCloseTo(interval.low, 1.9);
    expect(rows[index].mention_rate_high).toBeCloseTo(interval.high, 1.9);
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
      const rows = await read(fixture, `share-of-voice?${window}${filters}&limit=200`);
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
    const rows = await read(fixture, `sources?${window}${country ? `&country=${country}` : ''}&limit=200`);
    expect(rows).toHaveLength(expected.length);
    expect(rows).toMatchObject(expected);
  }
}

async function checkSummary(fixture: Fixture): Promise<void> {
  const [latest, before] = await read(fixture, `scores?${window}`);
  const { org_id } = fixture.own;
  const { body } = await results.get(org_id, `/orgs/${org_id}/brands/summary`);
  expect(body.data).toMatchObject([
    {
      id: fixture.own.id,
      score: latest.score,
      previous_score: before?.score ?? null,
      score_change: difference(latest.score, before?.score ?? null),
      score_date: latest.run_date,
      sentiment: latest.sentiment,
      share_of_voice: latest.share_of_voice,
      average_position: latest.average_position,
      active_prompts: 2,
    },
  ]);
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
      if (early.length > 0) await importLines(fixture, early);
      // The second import repeats the lines of the first.
      await importLines(fixture, [...late, ...early]);
      for (const country of [undefined, ...countries]) await checkScores(fixture, lines, country);
      await checkShares(fixture, lines);
      await checkSources(fixture, lines);
      await checkSummary(fixture);
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
