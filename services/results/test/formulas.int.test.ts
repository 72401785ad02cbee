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
  latestOf,
  type Line,
  type Tracked,
} from './expected-figures.ts';
import { brandData, type Harness, log, promptData, serveMarkets, startResults } from './harness.ts';

let results: Harness;
let servers: RpcServer[];
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  // Catalog knows no more than what it has told.
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

/** A generated unit; brands and prompts by number, made real once the run has its own. */
const drawnUnit = fc.record({
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
      site: fc.constantFrom('own', 'rival', 'news-one.com', 'news-two.org'),
      page: fc.nat({ max: 7 }),
      cited: fc.constantFrom(true, true, false),
    }),
    { maxLength: 6 },
  ),
  /** Comes with the second import. */
  late: fc.boolean(),
});
type Drawn = typeof drawnUnit extends fc.Arbitrary<infer T> ? T : never;

/** An own brand with as many competitors and two prompts, known to the service. */
async function makeBrand(rivals: number) {
  const org_id = randomUUID();
  const names = Array.from(
    { length: rivals },
    (_, index) => `rival-${index}-${randomUUID().slice(0, 8)}.com`,
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
    expect(await results.query('select 1 from brands where org_id = $1', [org_id])).toHaveLength(rivals + 1);
  });
  const tracked: Tracked[] = [own, ...others].map(({ id, domain }) => ({ id, host: domain }));
  return { own, prompts, tracked };
}
type Made = Awaited<ReturnType<typeof makeBrand>>;

function lineOf(drawn: Drawn, index: number, { prompts, tracked }: Made): Line {
  const hosts: Record<string, string | undefined> = { own: tracked[0]?.host, rival: tracked[1]?.host };
  return {
    unit_id: randomUUID(),
    prompt_id: prompts[drawn.prompt]?.id ?? '',
    platform: drawn.platform,
    country: drawn.country,
    run_date: drawn.run_date,
    // Late units are finalised later, but the order of lines is not the order of time.
    finalized_at: `${drawn.run_date}T${drawn.late ? 20 : 10}:00:00.${String((index * 7_919) % 1_000).padStart(6, '0')}Z`,
    outcome: drawn.answered ? 'answered' : 'no_answer',
    brands: tracked.flatMap(({ id }, place) => {
      const found = drawn.found[place];
      if (found === undefined) return [];
      const { cited, sentiment } = found;
      const position = drawn.answered ? found.position : null;
      return [{ brand_id: id, position, sentiment, ...(cited === undefined ? {} : { cited }) }];
    }),
    sources: drawn.links.map(({ site, page, cited }) => ({
      url: `https://www.${hosts[site] ?? (site.includes('.') ? site : 'nobody.net')}/page-${page}`,
      cited,
    })),
  };
}

async function importLines(made: Made, lines: readonly Line[]): Promise<void> {
  const answer = await results.call({
    method: 'POST',
    path: '/operator/v1/results/import',
    caller: testCaller({ orgId: null, owner: { kind: 'operator', id: 'operator' } }),
    body: lines.map((line) => JSON.stringify({ ...line, brand_id: made.own.id })).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(answer.status).toBe(201);
  expect(answer.body.data.rejected).toEqual([]);
}

async function read(made: Made, path: string) {
  const { org_id, id } = made.own;
  const answer = await results.get(org_id, `/orgs/${org_id}/brands/${id}/${path}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

const difference = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : Math.round((now - before) * 100) / 100;

async function checkScores(made: Made, lines: readonly Line[], country: string | undefined): Promise<void> {
  const inSeries = latestOf(lines).filter((line) => country === undefined || line.country === country);
  const filter = country === undefined ? '' : `&country=${country}`;
  const rows = await read(made, `scores?${window}${filter}`);
  const scoredDays = days.filter((day) => inSeries.some((line) => line.run_date === day)).toReversed();
  expect(rows.map((row: { run_date: string }) => row.run_date)).toEqual(scoredDays);
  for (const [index, day] of scoredDays.entries()) {
    const ofDay = inSeries.filter((line) => line.run_date === day);
    const { row, interval } = expectedScore(ofDay, made.tracked);
    const previous = rows[index + 1]?.score ?? null;
    const cells = platforms
      .map((platform) => ({ platform, units: ofDay.filter((line) => line.platform === platform) }))
      .filter(({ units }) => units.length > 0)
      .map(({ platform, units }) => {
        const { score, mention_rate, units_answered } = expectedScore(units, made.tracked).row;
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

async function checkShares(made: Made, lines: readonly Line[]): Promise<void> {
  for (const platform of [undefined, 'gemini']) {
    for (const country of [undefined, 'DE']) {
      const latest = latestOf(lines).filter(
        (line) =>
          (platform === undefined || line.platform === platform) &&
          (country === undefined || line.country === country),
      );
      const filters = `${platform ? `&platform=${platform}` : ''}${country ? `&country=${country}` : ''}`;
      const expected = days.toReversed().flatMap((day) =>
        expectedShares(
          latest.filter((line) => line.run_date === day),
          made.tracked,
        ).map((row) => ({ ...row, run_date: day })),
      );
      const rows = await read(made, `share-of-voice?${window}${filters}&limit=200`);
      expect(rows).toHaveLength(expected.length);
      expect(rows).toMatchObject(expected);
    }
  }
}

async function checkSources(made: Made, lines: readonly Line[]): Promise<void> {
  const [own = { id: '', host: '' }] = made.tracked;
  for (const country of [undefined, 'US']) {
    const inMarket = lines.filter((line) => country === undefined || line.country === country);
    const expected = expectedSources(inMarket, own);
    const rows = await read(made, `sources?${window}${country ? `&country=${country}` : ''}&limit=200`);
    expect(rows).toHaveLength(expected.length);
    expect(rows).toMatchObject(expected);
  }
}

async function checkSummary(made: Made): Promise<void> {
  const [latest, before] = await read(made, `scores?${window}`);
  const { org_id } = made.own;
  const { body } = await results.get(org_id, `/orgs/${org_id}/brands/summary`);
  expect(body.data).toMatchObject([
    {
      id: made.own.id,
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

test('every figure is what the published formulas give of the imported units, late and repeated ones included', async () => {
  const cases = fc.record({
    rivals: fc.integer({ min: 0, max: 3 }),
    units: fc.array(drawnUnit, { minLength: 1, maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ rivals, units }) => {
      const made = await makeBrand(rivals);
      const lines = units.map((drawn, index) => lineOf(drawn, index, made));
      const early = lines.filter((_line, index) => units[index]?.late === false);
      const late = lines.filter((_line, index) => units[index]?.late === true);
      if (early.length > 0) await importLines(made, early);
      // The second import brings what was there already once more.
      await importLines(made, [...late, ...early]);
      for (const country of [undefined, ...countries]) await checkScores(made, lines, country);
      await checkShares(made, lines);
      await checkSources(made, lines);
      await checkSummary(made);
    }),
    { numRuns: 25 },
  );
}, 120_000);

test('the migrations give units stored before them the sums that their storing would have given', async () => {
  const tables = ['unit_markets', 'source_days', 'source_pages', 'answered_days'];
  const sums = () =>
    Promise.all(tables.map((table) => results.query(`select * from ${table} t order by t::text`)));
  const kept = await sums();
  for (const rows of kept) expect(rows.length).toBeGreaterThan(0);
  await results.query(`truncate ${tables.join(', ')}`);
  for (const name of ['0007_unit_markets', '0008_source_days']) {
    const text = await readFile(new URL(`../migrations/${name}.sql`, import.meta.url), 'utf8');
    for (const [insert] of text.matchAll(/^insert into [^;]+;/gms)) await results.query(insert);
  }
  expect(await sums()).toEqual(kept);
});
