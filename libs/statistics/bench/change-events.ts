import { parseArgs } from 'node:util';
import { mersenne } from 'pure-rand/generator/mersenne';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { compareCells, type ComparedCell, type ComparedWindow } from '../src/index.ts';
import { propensityAt } from '../test/simulate-brand.ts';

/**
 * How many `score.changed` events an endpoint receives for simulated brands with a scan a day. A day's comparison that
 * finds a change is an event, unless one was sent in the days of its window.
 */
const { values: options } = parseArgs({
  options: { brands: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const brands = Number(options.brands);
const windows = [7, 28] as const;

type Brand = {
  prompts: number;
  platforms: number;
  /** Expected mention rate, 0 to 1. */
  rate: number;
  /** Correlation of the answers to one prompt. */
  rho: number;
  /** What the rate rises by on the first day of `step`. */
  effect: number;
};
type Series = Brand & { days: number; step: number; windowDays: number; seed: number };

const write = (text: string): void => void process.stdout.write(`${text}\n`);
const writeRow = (...columns: (string | number)[]): void =>
  write(
    columns
      .map((column, index) => (index === 0 ? String(column).padEnd(34) : String(column).padStart(11)))
      .join(''),
  );

/** Sums over the first days of a series, by cell: those of a window are the difference of two. */
type Sums = { units: number; mentioned: number; unitScoreSum: number };

function simulateSums({ prompts, platforms, rate, rho, effect, days, step, seed }: Series): Sums[][] {
  const generator = mersenne(seed);
  const random = (): number => uniformFloat64(generator);
  const cells = Array.from({ length: prompts }, () => random()).flatMap((rank) =>
    Array.from({ length: platforms }, () => ({
      before: propensityAt(rank, rate, rho),
      after: effect === 0 ? propensityAt(rank, rate, rho) : propensityAt(rank, rate + effect, rho),
    })),
  );
  return cells.map(({ before, after }) => {
    const sums: Sums[] = [{ units: 0, mentioned: 0, unitScoreSum: 0 }];
    for (let day = 1; day <= days; day += 1) {
      const { units, mentioned, unitScoreSum } = sums[day - 1]!;
      const isMentioned = random() < (day < step ? before : after);
      const position = Math.floor(5 * random());
      sums.push({
        units: units + 1,
        mentioned: mentioned + (isMentioned ? 1 : 0),
        unitScoreSum: unitScoreSum + (isMentioned ? 100 / (1 + 0.1 * position) : 0),
      });
    }
    return sums;
  });
}

/** The window of the days after `from`, up to `to`. */
function toWindow(sums: Sums[][], { platforms }: Brand, from: number, to: number): ComparedWindow {
  const cells = sums.map((ofCell, cell): ComparedCell => {
    const [start, end] = [ofCell[Math.max(from, 0)]!, ofCell[Math.max(to, 0)]!];
    return {
      promptId: String(Math.floor(cell / platforms)),
      platform: String(cell % platforms),
      country: 'US',
      units: end.units - start.units,
      mentioned: end.mentioned - start.mentioned,
      unitScoreSum: end.unitScoreSum - start.unitScoreSum,
      cited: 0,
      positionSum: 0,
      sentimentSum: 0,
      sentimentCount: 0,
      models: [],
    };
  });
  return { cells, methodVersions: [], isPartial: false };
}

/** Days with an event, from `first` on. */
function listEventDays(series: Series, first: number): number[] {
  const sums = simulateSums(series);
  const { windowDays } = series;
  const sent: number[] = [];
  for (let day = first; day <= series.days; day += 1) {
    const last = sent.at(-1);
    if (last !== undefined && day - last < windowDays) continue;
    const a = toWindow(sums, series, day - 2 * windowDays, day - windowDays);
    const b = toWindow(sums, series, day - windowDays, day);
    const { verdict } = compareCells(a, b, 'score');
    if (verdict === 'up' || verdict === 'down') sent.push(day);
  }
  return sent;
}

const kinds: Brand[] = [
  { prompts: 10, platforms: 2, rate: 0.3, rho: 0.3, effect: 0 },
  { prompts: 10, platforms: 2, rate: 0.1, rho: 0.7, effect: 0 },
  { prompts: 50, platforms: 3, rate: 0.3, rho: 0.3, effect: 0 },
  { prompts: 50, platforms: 3, rate: 0.1, rho: 0.7, effect: 0 },
];
const toText = ({ prompts, platforms, rate, rho }: Brand): string =>
  `${prompts} x ${platforms}, ${100 * rate} %, ${rho}`;

const heads = windows.map((days) => `${days} days`);
const seeds = Array.from({ length: brands }, (_, index) => Number(options.seed) * 1_000_003 + index);
const meanOf = (numbers: readonly number[]): string =>
  (numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toFixed(2);

write('Unchanged brands: events a year, by window');
writeRow('prompts x platforms, rate, correlation', ...heads);
for (const brand of kinds) {
  const year = (windowDays: number, seed: number): number =>
    listEventDays({ ...brand, days: 365 + 2 * windowDays, step: Infinity, windowDays, seed }, 2 * windowDays)
      .length;
  writeRow(toText(brand), ...windows.map((days) => meanOf(seeds.map((seed) => year(days, seed)))));
}

write('\nUnchanged brands: events before a brand has two full windows');
writeRow('prompts x platforms, rate, correlation', ...heads);
for (const brand of kinds) {
  const start = (windowDays: number, seed: number): number =>
    listEventDays({ ...brand, days: 2 * windowDays - 1, step: Infinity, windowDays, seed }, 1).length;
  writeRow(toText(brand), ...windows.map((days) => meanOf(seeds.map((seed) => start(days, seed)))));
}

write('\nOne change of the mention rate: brands with 0, 1 and 2 events for it, %');
writeRow('prompts x platforms, rate, correlation', 'change', ...heads);
for (const brand of kinds) {
  for (const effect of [0.1, 0.2, 0.4]) {
    const columns = windows.map((windowDays) => {
      const step = 2 * windowDays;
      const counts = seeds.map(
        (seed) =>
          listEventDays({ ...brand, effect, days: step + 2 * windowDays - 2, step, windowDays, seed }, step)
            .length,
      );
      return [0, 1, 2]
        .map((count) => Math.round((100 * counts.filter((each) => each === count).length) / brands))
        .join('/');
    });
    writeRow(toText(brand), `+${100 * effect}`, ...columns);
  }
}
