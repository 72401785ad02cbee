import { readBenchOptions } from '@bv/measure';
import { mersenne } from 'pure-rand/generator/mersenne';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import {
  compareCells,
  type ComparedCell,
  type ComparedWindow,
  type Comparison,
  isChangeAt,
} from '../src/index.ts';
import { propensityAt } from '../test/simulate-brand.ts';

/**
 * How many `score.changed` events an endpoint receives for simulated brands with a scan a day, by the confidence of its
 * subscription and the least distance of two events. Exits with 1 if unchanged brands send too many by default.
 */
const options = readBenchOptions('change-events', {
  brands: { default: '300', description: 'simulated brands of each kind' },
  seed: { default: '1', description: 'start of the random numbers' },
});
const brands = Number(options.brands);
const windows = [7, 28] as const;
const levels = [0.95, 0.99, 0.999, 0.9999] as const;
const defaultLevel = 0.9999;
/** Events are counted for this many brands and days, from the first day of a brand on. */
const [countedBrands, countedDays] = [20, 60];
const maxFalseAlarms = 0.1;

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
      .map((column, at) => (at === 0 ? String(column).padEnd(24) : String(column).padStart(11)))
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

/** The comparison of each day from `first` on with a day before its window. */
function compareDays(series: Series, first: number): { day: number; compared: Comparison }[] {
  const sums = simulateSums(series);
  const { windowDays, days } = series;
  return Array.from({ length: days - first + 1 }, (_, index) => first + index)
    .filter((day) => day > windowDays)
    .map((day) => {
      const a = toWindow(sums, series, day - 2 * windowDays, day - windowDays);
      const b = toWindow(sums, series, day - windowDays, day);
      return { day, compared: compareCells(a, b, 'score') };
    });
}

/** Days with an event. */
function listEvents(
  days: ReturnType<typeof compareDays>,
  distance: number,
  isChange: (compared: Comparison) => boolean,
): number[] {
  const sent: number[] = [];
  for (const { day, compared } of days) {
    if (day - (sent.at(-1) ?? -Infinity) >= distance && isChange(compared)) sent.push(day);
  }
  return sent;
}

const unchanged: Brand[] = [
  { prompts: 5, platforms: 1, rate: 0.1, rho: 0, effect: 0 },
  { prompts: 10, platforms: 1, rate: 0.1, rho: 0, effect: 0 },
  { prompts: 50, platforms: 1, rate: 0.02, rho: 0, effect: 0 },
  { prompts: 10, platforms: 2, rate: 0.3, rho: 0.3, effect: 0 },
  { prompts: 10, platforms: 2, rate: 0.1, rho: 0.7, effect: 0 },
  { prompts: 30, platforms: 3, rate: 0.3, rho: 0.3, effect: 0 },
  { prompts: 50, platforms: 3, rate: 0.3, rho: 0.3, effect: 0 },
];
const changed: Brand[] = [
  { prompts: 10, platforms: 3, rate: 0.3, rho: 0.3, effect: 0 },
  { prompts: 30, platforms: 3, rate: 0.3, rho: 0.3, effect: 0 },
  { prompts: 30, platforms: 5, rate: 0.3, rho: 0.3, effect: 0 },
  { prompts: 50, platforms: 3, rate: 0.3, rho: 0.3, effect: 0 },
];
const toText = ({ prompts, platforms, rate, rho }: Brand): string =>
  `${prompts} x ${platforms}, ${100 * rate} %, ${rho}`;

const toSeeds = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => Number(options.seed) * 1_000_003 + index);
const toPercent = (level: number): string => `${100 * level} %`;

const heads = levels.map(toPercent);
let falseAlarms = 0;
for (const windowDays of windows) {
  write(`\nUnchanged brands, ${windowDays} days: events in ${countedDays} days of ${countedBrands} brands`);
  writeRow('prompts x platforms,', ...heads, ...heads, toPercent(defaultLevel));
  writeRow(
    'rate, correlation',
    ...levels.map(() => `${windowDays} apart`),
    ...levels.map(() => `${2 * windowDays - 1} apart`),
    'p only',
  );
  for (const brand of unchanged) {
    const history = toSeeds(brands).map((seed) =>
      compareDays({ ...brand, days: countedDays, step: Infinity, windowDays, seed }, 1),
    );
    const count = (distance: number, isChange: (compared: Comparison) => boolean): number =>
      (countedBrands / brands) *
      history.reduce((sum, days) => sum + listEvents(days, distance, isChange).length, 0);
    const counts = [windowDays, 2 * windowDays - 1].flatMap((distance) =>
      levels.map((level) => count(distance, (compared) => isChangeAt(compared, level))),
    );
    const byPValue = count(2 * windowDays - 1, ({ pValue }) => (pValue ?? 1) < 1 - defaultLevel);
    falseAlarms += counts.at(-1)! / (unchanged.length * windows.length);
    writeRow(toText(brand), ...[...counts, byPValue].map((each) => each.toFixed(2)));
  }
}

write(
  '\nOne rise of the mention rate: brands with 0, 1 and 2 events for it, %, and their median days of delay',
);
writeRow('prompts x platforms,', 'rise', 'days', ...heads.map((head) => `${head}       `));
for (const windowDays of windows) {
  for (const brand of changed) {
    for (const effect of [0.1, 0.2]) {
      const step = 2 * windowDays + 1;
      const count = Math.ceil(brands / 2);
      const history = toSeeds(count).map((seed) =>
        compareDays({ ...brand, effect, days: step + 2 * windowDays - 2, step, windowDays, seed }, step),
      );
      const columns = levels.map((level) => {
        const events = history.map((days) =>
          listEvents(days, 2 * windowDays - 1, (compared) => isChangeAt(compared, level)),
        );
        const shares = [0, 1, 2].map(
          (number) => (100 * events.filter(({ length }) => length === number).length) / count,
        );
        const delays = events.flatMap(([first]) => (first === undefined ? [] : [first - step]));
        const median = delays.toSorted((a, b) => a - b)[delays.length >> 1] ?? '-';
        return `${shares.map(Math.round).join('/')} ${median}`;
      });
      writeRow(
        toText(brand),
        `+${100 * effect}`,
        windowDays,
        ...columns.map((column) => column.padStart(13)),
      );
    }
  }
}

const isMet = falseAlarms <= maxFalseAlarms;
write(
  `\nBy default ${falseAlarms.toFixed(2)} events for unchanged brands, at most ${maxFalseAlarms}: ${isMet ? 'met' : 'MISSED'}`,
);
if (!isMet) process.exitCode = 1;
