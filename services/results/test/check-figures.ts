import { expect } from '@jest/globals';
import { listBrandSummaries, listScores, listShareOfVoice, listSources } from '@bv/contract';
import type { Brand } from './events.ts';
import {
  expectedScore,
  expectedShares,
  expectedSources,
  selectLatest,
  type Line,
  type Tracked,
} from './expected-figures.ts';
import { type Results, toBrandParams } from './results.ts';

/** An own brand, the brands in its answers (itself first), and what its units vary in. */
export type Subject = {
  own: Brand;
  tracked: readonly Tracked[];
  activePrompts: number;
  /** In order. */
  days: readonly string[];
  platforms: readonly string[];
  countries: readonly string[];
};

/** Compares every figure that the service serves of a brand with those computed from its units. */
export async function checkFigures(
  results: Results,
  subject: Subject,
  lines: readonly Line[],
): Promise<void> {
  for (const country of [undefined, ...subject.countries])
    await checkScores(results, subject, lines, country);
  await checkShares(results, subject, lines);
  await checkSources(results, subject, lines);
  await checkSummary(results, subject);
}

const difference = (now: number | null, before: number | null): number | null =>
  now === null || before === null ? null : Math.round((now - before) * 100) / 100;

const toWindow = ({ days }: Subject): string => `from=${days[0]}&to=${days.at(-1)}`;

async function checkScores(
  results: Results,
  subject: Subject,
  lines: readonly Line[],
  country: string | undefined,
): Promise<void> {
  const { days, platforms, tracked } = subject;
  const inSeries = selectLatest(lines).filter((line) => country === undefined || line.country === country);
  const filter = country === undefined ? '' : `&country=${country}`;
  const params = toBrandParams(subject.own);
  const rows = (await results.call(listScores, { params, query: `${toWindow(subject)}${filter}` })).data;
  const scoredDays = days.filter((day) => inSeries.some((line) => line.run_date === day)).toReversed();
  expect(rows.map((row) => row.run_date)).toEqual(scoredDays);
  for (const [index, day] of scoredDays.entries()) {
    const dayLines = inSeries.filter((line) => line.run_date === day);
    const { row, interval } = expectedScore(dayLines, tracked);
    const previous = rows[index + 1]?.score ?? null;
    const cells = platforms
      .map((platform) => ({ platform, units: dayLines.filter((line) => line.platform === platform) }))
      .filter(({ units }) => units.length > 0)
      .map(({ platform, units }) => {
        const { score, mention_rate, units_answered } = expectedScore(units, tracked).row;
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

async function checkShares(results: Results, subject: Subject, lines: readonly Line[]): Promise<void> {
  for (const platform of [undefined, subject.platforms.at(-1)]) {
    for (const country of [undefined, subject.countries[0]]) {
      const latest = selectLatest(lines).filter(
        (line) =>
          (platform === undefined || line.platform === platform) &&
          (country === undefined || line.country === country),
      );
      const filters = `${platform ? `&platform=${platform}` : ''}${country ? `&country=${country}` : ''}`;
      const expected = subject.days.toReversed().flatMap((day) =>
        expectedShares(
          latest.filter((line) => line.run_date === day),
          subject.tracked,
        ).map((row) => ({ ...row, run_date: day })),
      );
      const params = toBrandParams(subject.own);
      const query = `${toWindow(subject)}${filters}&limit=200`;
      const rows = (await results.call(listShareOfVoice, { params, query })).data;
      expect(rows).toHaveLength(expected.length);
      expect(rows).toMatchObject(expected);
    }
  }
}

async function checkSources(results: Results, subject: Subject, lines: readonly Line[]): Promise<void> {
  const [own = { id: '', host: '' }] = subject.tracked;
  for (const country of [undefined, subject.countries.at(-1)]) {
    const inMarket = lines.filter((line) => country === undefined || line.country === country);
    const expected = expectedSources(inMarket, own);
    const params = toBrandParams(subject.own);
    const query = `${toWindow(subject)}${country ? `&country=${country}` : ''}&limit=200`;
    const rows = (await results.call(listSources, { params, query })).data;
    expect(rows).toHaveLength(expected.length);
    expect(rows).toMatchObject(expected);
  }
}

/** The summary of the brand by its latest two scores. */
async function checkSummary(results: Results, subject: Subject): Promise<void> {
  const params = toBrandParams(subject.own);
  const { data } = await results.call(listScores, { params, query: toWindow(subject) });
  const [latest, before] = data;
  const [score, previous] = [latest?.score ?? null, before?.score ?? null];
  expect((await results.call(listBrandSummaries, { params })).data).toMatchObject([
    {
      id: subject.own.id,
      score,
      previous_score: previous,
      score_change: difference(score, previous),
      score_date: latest?.run_date ?? null,
      sentiment: latest?.sentiment ?? null,
      share_of_voice: latest?.share_of_voice ?? null,
      average_position: latest?.average_position ?? null,
      active_prompts: subject.activePrompts,
    },
  ]);
}
