import {
  type CellSums,
  compareCells,
  measurePrecision,
  type ObservedCell,
  type Spread,
} from '../src/index.ts';
import { squares } from '../src/paired-test.ts';
import { drawAnswers, drawPrompts, toWindow, usualPlan } from './simulated-brand.ts';

const toObserved = ({ promptId, platform, units, mentioned }: CellSums): ObservedCell => ({
  prompt: promptId,
  stratum: platform,
  n: units,
  sum: 100 * mentioned,
  squares: 10_000 * mentioned,
});

const days = 7;

/** A week on three platforms. */
function drawWeek(prompts: readonly number[], rise = 0) {
  const plan = { ...usualPlan, platforms: 3, days, rise };
  return toWindow(drawAnswers(prompts, plan), plan, prompts.length);
}

const measure = (cells: readonly CellSums[], history: readonly Spread[]) =>
  measurePrecision({ cells: cells.map(toObserved), days, width: 5, history: { 7: history, 28: [] } });

/** How the differences of prompts vary between neighbouring weeks in which nothing changed. */
function drawHistory(prompts: readonly number[]): Spread[] {
  const weeks = Array.from({ length: 13 }, () =>
    Map.groupBy(drawWeek(prompts).cells, ({ promptId }) => promptId),
  );
  const toRate = (cells: readonly CellSums[] = []): number =>
    cells.reduce((sum, { mentioned, units }) => sum + (100 * mentioned) / units, 0) / cells.length;
  return weeks.slice(1).map((week, index) => {
    const differences = Array.from(
      week,
      ([prompt, cells]) => toRate(cells) - toRate(weeks[index]?.get(prompt)),
    );
    return { prompts: differences.length, variance: squares(differences) / (differences.length - 1) };
  });
}

/** How many of so many intervals contain the rate of all prompts of this kind. */
export function countCovered(runs: number, prompts: number, rate: number): number {
  let covered = 0;
  for (let run = 0; run < runs; run += 1) {
    const { level } = measure(drawWeek(drawPrompts(prompts, rate)).cells, []);
    if (level.low !== null && level.low <= 100 * rate && 100 * rate <= level.high!) covered += 1;
  }
  return covered;
}

/** How many changes of the smallest detectable size, up and down in turn, are found by a comparison of weeks. */
export function countFound(runs: number, prompts: number): { up: number; down: number } {
  const found = { up: 0, down: 0 };
  for (let run = 0; run < runs; run += 1) {
    const usual = drawPrompts(prompts, 0.4).map((rate) => 0.2 + 0.6 * rate);
    const a = drawWeek(usual);
    const size = measure(a.cells, drawHistory(usual)).smallestDetectable[7]! / 100;
    const direction = run % 2 === 0 ? 'up' : 'down';
    const b = drawWeek(usual, direction === 'up' ? size : -size);
    const { verdict } = compareCells(a, b, { metric: 'mention_rate', confidence: 0.95 });
    if (verdict === direction) found[direction] += 1;
  }
  return found;
}
