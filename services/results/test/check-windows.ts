import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Score } from '@bv/contract';
import { createPool, type Pool } from '@bv/postgres';
import { createMetrics } from '@bv/telemetry';
import { type Brand, brandData, promptData } from './events.ts';
import {
  effectiveUnits,
  isModelChanged,
  pooled,
  servedModels,
  shareOfVoice,
  type Unit,
  wilsonBounds,
} from './expected-windows.ts';
import { addToCatalog, importUnits, type Results } from './results.ts';

/** A query string of the parameters that have a value. */
export const toQuery = (query: Record<string, string | undefined>): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    ),
  ).toString();

/** A pool as in the service, which parses values as the service does. */
export const createServicePool = ({ database, log }: Results): Pool =>
  createPool({
    connectionString: database.url,
    applicationName: 'test',
    // A busy machine opens connections slowly.
    connectionTimeoutMs: 15_000,
    log,
    metrics: createMetrics('test'),
  });

/** An answer of one model in one market, without mentions, with what a test needs. */
export const createUnit = (promptId: string, runDate: string, given: Partial<Unit> = {}): Unit => ({
  promptId,
  country: 'US',
  platform: 'chatgpt',
  model: 'model-a',
  runDate,
  finalizedAt: `${runDate}T10:00:00.000000Z`,
  answered: true,
  position: null,
  sentiment: null,
  cited: false,
  unresolved: false,
  competitors: 0,
  ...given,
});

/** An own brand with competitors, prompts and units. */
export type UnitBrand = {
  own: Brand;
  units: Unit[];
  ids: Map<Unit, string>;
  importUnits(units: readonly Unit[]): Promise<void>;
};

/** Adds a brand with two competitors to the catalog, and creates units of its prompts. Imports none of them. */
export async function addBrandWithUnits(
  results: Results,
  prompts: number,
  create: (promptIds: readonly string[]) => Unit[],
  org_id: string = randomUUID(),
): Promise<UnitBrand> {
  const rivals = ['b.com', 'c.com'].map((domain) =>
    brandData({ org_id, is_own: false, name: domain, domain }),
  );
  const competitors = rivals.map(({ id, name, domain }) => ({ id, name, domain }));
  const own = brandData({ org_id, competitors });
  const added = Array.from({ length: prompts }, () => promptData(own));
  await addToCatalog(results, { brands: [...rivals, own], prompts: added });
  const units = create(added.map(({ id }) => id));
  const ids = new Map<Unit, string>();
  const toLine = (unit: Unit) => {
    const unit_id = randomUUID();
    ids.set(unit, unit_id);
    const { position, sentiment, cited, unresolved } = unit;
    const found = rivals.map(({ id }, index) => ({
      brand_id: id,
      position: index < unit.competitors ? 20 + index : null,
      sentiment: null,
    }));
    return {
      unit_id,
      brand_id: own.id,
      prompt_id: unit.promptId,
      platform: unit.platform,
      country: unit.country,
      run_date: unit.runDate,
      finalized_at: unit.finalizedAt,
      outcome: unit.answered ? 'answered' : 'no_answer',
      model: unit.model,
      brands: [{ brand_id: own.id, position, sentiment, cited }, ...found],
      sources: [],
      sources_unresolved: unresolved ? 1 : 0,
    };
  };
  return {
    own,
    units,
    ids,
    importUnits: async (batch) => {
      const { data } = await importUnits(results, batch.map(toLine));
      expect(data).toMatchObject({ imported: batch.length, rejected: [] });
    },
  };
}

/** The value is the expected one, rounded to two decimals. At a half, either neighbour is right. */
export function expectRounded(actual: number | null, expected: number | null): void {
  expect(actual === null).toBe(expected === null);
  if (actual === null || expected === null) return;
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(0.005 + 1e-9);
  expect(Math.round(actual * 100) / 100).toBe(actual);
}

/** The same for a figure of a difference, which is shown as 0 only if it is 0. */
export function expectPoints(actual: number | null, expected: number | null): void {
  const size = Math.abs(expected ?? 0);
  if (size > 1e-9 && size < 0.005) expect(actual).toBe(Math.sign(expected ?? 0) / 100);
  else expectRounded(actual, expected);
}

type ExpectedRow = {
  window: string;
  country: string | null;
  /** Units that the row pools; of a day, the latest of each cell. */
  units: readonly Unit[];
  /** The previous row of the series. */
  previous: { score: number | null; units: readonly Unit[] } | undefined;
};

/** Compares a row of any window with single units. */
export function checkRow(row: Score, { window, country, units, previous }: ExpectedRow): void {
  const answered = units.filter((unit) => unit.answered);
  const mentions = answered.filter(({ position }) => position !== null);
  const sentiments = mentions.flatMap(({ sentiment }) => sentiment ?? []);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const isDay = window === 'day';
  expect(row).toMatchObject({
    country,
    units_total: units.length,
    units_answered: answered.length,
    units_mentioned: mentions.length,
    units_cited: answered.filter(({ cited }) => cited).length,
    units_citations_unknown: answered.filter(({ cited, unresolved }) => unresolved && !cited).length,
    position_sum: sum(mentions.map(({ position }) => position ?? 0)),
    sentiment_sum: Math.round(sum(sentiments) * 100) / 100,
    sentiment_count: sentiments.length,
    models: servedModels(units),
    prompts_measured: new Set(answered.map(({ promptId }) => promptId)).size,
    model_changed: previous === undefined ? null : isModelChanged(previous.units, units),
    method_version: expect.stringMatching(/^\d+$/),
    previous_score: previous?.score ?? null,
  });
  expect(row.window).toBe(isDay ? undefined : window);
  const change = row.score === null || row.previous_score === null ? null : row.score - row.previous_score;
  expectRounded(row.change, change);
  checkRates(row, isDay, units);
  const platforms = [...new Set(units.map(({ platform }) => platform))].toSorted();
  expect(row.platforms.map(({ platform }) => platform)).toEqual(platforms);
  for (const figures of row.platforms) {
    const ofPlatform = units.filter(({ platform }) => platform === figures.platform);
    expectRounded(figures.score, pooled(ofPlatform, 'score'));
    expectRounded(figures.mention_rate, pooled(ofPlatform, 'mention_rate'));
    expect(figures.units_answered).toBe(ofPlatform.filter((unit) => unit.answered).length);
  }
}

function checkRates(row: Score, isDay: boolean, units: readonly Unit[]): void {
  for (const metric of ['score', 'mention_rate', 'sentiment', 'citation_rate', 'average_position'] as const) {
    // A day has one unit a cell, except that position and sentiment are means over units there.
    expectRounded(row[metric], pooled(units, metric));
  }
  expectRounded(row.share_of_voice, shareOfVoice(units));
  const mentionRate = pooled(units, 'mention_rate');
  const trials = isDay ? row.units_answered : effectiveUnits(units);
  if (!isDay) expectRounded(row.units_effective ?? null, trials);
  const bounds = mentionRate === null ? null : wilsonBounds(mentionRate, trials);
  expectRounded(row.mention_rate_low, bounds?.low ?? null);
  expectRounded(row.mention_rate_high, bounds?.high ?? null);
}
