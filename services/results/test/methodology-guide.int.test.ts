import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareScores, listScores, type Score } from '@bv/contract';
import { windowRates } from '@bv/statistics';
import { addBrandWithUnits, toQuery, type UnitBrand } from './check-windows.ts';
import { jobData, unitData } from './events.ts';
import type { Unit } from './expected-windows.ts';
import { type Results, startResults, toBrandParams, waitUntilScored } from './results.ts';
import { createRandom, toDay } from './unit-history.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/methodology.md'), 'utf8');
const guideLines = guide.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
const getSamples = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code);

/** A table of the guide has a row that starts with these cells. */
function expectRow(...cells: readonly (string | number)[]): void {
  const row = `| ${cells.join(' | ')} |`;
  const rows = guideLines.filter((line) => line.startsWith(`| ${cells[0]} |`));
  expect(rows.map((line) => line.slice(0, row.length))).toContain(row);
}

const days = { first: '2026-10-25', lastWeekButOne: 14, lastWeek: 21, count: 28 };
const failedDay = '2026-11-18';

/** The brand of the guide has 30 answers a day. Its expected mention rate is 35 %, and 50 % in the fourth week. */
function createUnits(promptIds: readonly string[]): Unit[] {
  const random = createRandom(6);
  return Array.from({ length: days.count }, (_, day) => day).flatMap((day) =>
    promptIds.flatMap((promptId, prompt) =>
      ['chatgpt', 'gemini', 'perplexity'].map((platform): Unit => {
        const rate = 0.08 + 0.06 * prompt + (day < days.lastWeek ? 0 : 0.15);
        const runDate = toDay(days.first, day);
        return {
          promptId,
          country: 'US',
          platform,
          model: 'model-a',
          runDate,
          finalizedAt: `${runDate}T10:00:00.000000Z`,
          answered: true,
          position: random() < rate ? 1 + Math.floor(random() * 4) : null,
          sentiment: null,
          cited: false,
          competitors: 0,
        };
      }),
    ),
  );
}

let results: Results;
beforeAll(async () => {
  // Today is 2026-11-21.
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());

/** The brand of the guide. `change` returns what the unit of a prompt, 0 to 9, is instead; null for none. */
async function addBrand(
  change: (unit: Unit, prompt: number) => Unit | null = (unit) => unit,
): Promise<UnitBrand> {
  const brand = await addBrandWithUnits(results, 10, (ids) =>
    createUnits(ids).flatMap((unit) => change(unit, ids.indexOf(unit.promptId)) ?? []),
  );
  await brand.importUnits(brand.units);
  return brand;
}

const addLastTwoWeeks = (change: (unit: Unit, prompt: number) => Unit | null): Promise<UnitBrand> =>
  addBrand((unit, prompt) =>
    unit.runDate < toDay(days.first, days.lastWeekButOne) ? null : change(unit, prompt),
  );

const list = async ({ own }: UnitBrand, query: Record<string, string>): Promise<readonly Score[]> =>
  (await results.call(listScores, { params: toBrandParams(own), query: toQuery(query) })).data;

const compare = async ({ own }: UnitBrand, query: Record<string, string> = {}) =>
  (
    await results.call(compareScores, {
      params: toBrandParams(own),
      query: toQuery({ metric: 'mention_rate', ...query }),
    })
  ).data;

const isInLastWeek = ({ runDate }: Unit): boolean => runDate >= toDay(days.first, days.lastWeek);

describe('the examples of the guide are responses of the API', () => {
  let brand: UnitBrand;
  beforeAll(async () => {
    brand = await addBrand();
  });

  test('days, windows and comparisons', async () => {
    const week = await list(brand, { from: '2026-11-08', to: '2026-11-14' });
    expectRow('`mention_rate`', ...week.toReversed().map((row) => row.mention_rate ?? '-'));
    const rows = await list(brand, { from: '2026-11-14', to: '2026-11-21', window: '7d' });
    const shown = [
      ['one day, 14 Nov', week[0]!],
      ['`7d`, 14 Nov', rows.at(-1)!],
      ['`7d`, 21 Nov', rows[0]!],
    ] as const;
    for (const [name, row] of shown) {
      const { units_answered: units, units_effective: effective = '-', mention_rate: rate } = row;
      expectRow(
        name,
        units,
        effective,
        rate ?? '-',
        row.mention_rate_low ?? '-',
        row.mention_rate_high ?? '-',
      );
    }
    const [up, unchanged] = getSamples('json').map((code) => JSON.parse(code) as unknown);
    expect(up).toEqual(await compare(brand));
    expect(unchanged).toEqual(await compare(brand, { from_b: '2026-11-08', to_b: '2026-11-14' }));
  });

  test('the comparison by hand', async () => {
    const promptIds = [...new Set(brand.units.map(({ promptId }) => promptId))];
    const count = (first: number): number[] =>
      promptIds.map((id) => {
        const [from, to] = [toDay(days.first, first), toDay(days.first, first + 6)];
        const isCounted = (unit: Unit): boolean =>
          unit.promptId === id && unit.runDate >= from && unit.runDate <= to && unit.position !== null;
        return brand.units.filter(isCounted).length;
      });
    const [a, b] = [count(days.lastWeekButOne), count(days.lastWeek)];
    const differences = b.map((mentions, prompt) => (100 * (mentions - a[prompt]!)) / 21);
    expectRow('mentions, 8 to 14 Nov', ...a);
    expectRow('mentions, 15 to 21 Nov', ...b);
    expectRow('difference in points', ...differences.map((difference) => difference.toFixed(1)));
    const mean = differences.reduce((sum, difference) => sum + difference, 0) / 10;
    const squares = differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0);
    const s = Math.sqrt(squares / 9);
    const { difference } = await compare(brand);
    expect(mean).toBeCloseTo(difference!.value, 2);
    expect((2.262 * s) / Math.sqrt(10)).toBeCloseTo(difference!.high - difference!.value, 1);
    expect(guide).toContain(
      `The mean of the ten differences is ${mean.toFixed(2)}, and their standard deviation s is ${s.toFixed(2)}.`,
    );
  });

  test('what the guide computes from rows', async () => {
    // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the sample itself is tested
    const combine = new Function(`${getSamples('js')[0]}; return combine;`)() as (
      rows: readonly Partial<Score>[],
    ) => Partial<Score>;
    const week = { from: '2026-11-15', to: '2026-11-21' };
    const [window] = await list(brand, { from: week.to, to: week.to, window: '7d' });
    const combined = combine(await list(brand, week));
    // Each cell has equally many answers, so the window weighs them like a sum. Mentions are not equally many.
    for (const field of ['score', 'mention_rate', 'citation_rate'] as const) {
      expect(combined[field]).toBeCloseTo(window![field] ?? Number.NaN, 1);
    }
    expect(combined.average_position).toBeCloseTo(window!.position_sum / window!.units_mentioned, 9);
    expect(combined.sentiment).toBeNull();
    const outage = { units_answered: 6, units_mentioned: 6 };
    expect(combine([{ units_answered: 30, units_mentioned: 12 }, outage]).mention_rate).toBe(50);
  });
});

test('each reason, in the last two weeks of the brand with one thing different', async () => {
  const expectReason = async (reason: string, what: string, brand: UnitBrand): Promise<void> => {
    const { difference, verdict, reasons } = await compare(brand);
    expect(reasons).toEqual([reason]);
    const { value, low, high } = difference!;
    expectRow(`\`${reason}\``, what, `${value} (${low} to ${high})`, `\`${verdict}\``);
  };
  await expectReason(
    'too_few',
    'only four prompts',
    await addLastTwoWeeks((unit, prompt) => (prompt < 4 ? unit : null)),
  );
  await expectReason(
    'model_changed',
    'ChatGPT has another model in week b',
    await addLastTwoWeeks((unit) =>
      isInLastWeek(unit) && unit.platform === 'chatgpt' ? { ...unit, model: 'model-b' } : unit,
    ),
  );
  const earlier = await addLastTwoWeeks((unit) => unit);
  await results.query(
    "update scores set method_version = '3' where brand_id = $1 and run_date < '2026-11-15'",
    [earlier.own.id],
  );
  await expectReason('method_changed', 'week a has `method_version` 3', earlier);
  await expectReason(
    'prompt_set_changed',
    'three prompts exist in week b only',
    await addLastTwoWeeks((unit, prompt) => (prompt > 6 && !isInLastWeek(unit) ? null : unit)),
  );
  await expectReason('partial_run', 'one unit of a scan failed in week b', await addPartialScan());
});

/** On a day, the answer to the first prompt comes from a scan, in which the unit of another prompt failed. */
async function addPartialScan(): Promise<UnitBrand> {
  const isOfScan = ({ runDate, platform }: Unit, prompt: number): boolean =>
    runDate === failedDay && platform === 'chatgpt' && prompt < 2;
  const brand = await addLastTwoWeeks((unit, prompt) => (isOfScan(unit, prompt) ? null : unit));
  const { own, units } = brand;
  const job = { job_id: randomUUID(), run_date: failedDay };
  const prompt = { id: units[0]!.promptId, org_id: own.org_id, brand_id: own.id };
  await results.emitUnit(unitData(prompt, [{ ...own, position: null }], { ...job, model: 'model-a' }));
  await results.emitJob(
    jobData(own, job.job_id, {
      status: 'partial',
      run_date: failedDay,
      units: { total: 2, answered: 1, no_answer: 0, failed: 1 },
    }),
  );
  await waitUntilScored(results, job.job_id);
  return brand;
}

test('how far chance moves a rate', () => {
  const rows = { '30: one day': 30, '210: seven days': 210, '840: 28 days': 840 };
  for (const [name, answers] of Object.entries(rows)) {
    const byChance = (correlation: number): number =>
      1.96 * Math.sqrt((2 * 50 * 50 * (1 - correlation)) / answers);
    const found = (correlation: number): number => ((1.96 + 0.8416) / 1.96) * byChance(correlation);
    expectRow(name, ...[byChance(0), byChance(0.5), found(0), found(0.5)].map((points) => points.toFixed(1)));
  }
});

test('cells weigh the same', () => {
  const cell = {
    country: 'US',
    platform: 'chatgpt',
    cited: 0,
    unitScoreSum: 0,
    positionSum: 0,
    sentimentSum: 0,
  };
  const cells = [
    { ...cell, promptId: '1', units: 14, mentioned: 7, sentimentCount: 0 },
    { ...cell, promptId: '2', units: 7, mentioned: 0, sentimentCount: 0 },
  ];
  expectRow('row of the window', 21, 7, `${windowRates(cells).mentionRate}: mean of both`);
});
