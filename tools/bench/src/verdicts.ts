import { readBenchOptions } from '@bv/measure';
import { compareCells, type Metric, windowRates, wilsonInterval } from '@bv/statistics';
import { incbet } from 'cephes';
import { pairedPower } from '../../../libs/statistics/test/paired-power.ts';
import {
  type BrandToSimulate,
  propensityAt,
  simulateBrand,
} from '../../../libs/statistics/test/simulate-brand.ts';

/**
 * Compares simulated windows. An unchanged brand must get `up` or `down` in at most 5 % of comparisons. A changed one
 * must get it as often as the noncentral t distribution says. Exits with 1 if one of both is significantly missed.
 */
const options = readBenchOptions('verdicts', {
  comparisons: {
    default: '2000',
    description: 'comparisons of a brand with 20 prompts or fewer; larger brands get fewer, in proportion',
  },
  seed: { default: '1', description: 'start of the random numbers' },
});
const comparisons = Number(options.comparisons);
let seed = Number(options.seed) * 1_000_003;

type Brand = Omit<BrandToSimulate, 'seed'>;
type Count = { compared: number; found: number };

const promptCounts = [5, 10, 20, 50, 100];
const maxFalseAlarms = 0.05;
/** From here on, the mean of the prompts' differences is close to normal, as the expected power assumes. */
const minPromptsOfPower = 20;

const write = (text: string): void => void process.stdout.write(`${text}\n`);

const writeRow = (...columns: (string | number)[]): void =>
  write(
    columns
      .map((column) => String(column).padEnd(22))
      .join('')
      .trimEnd(),
  );

const percent = (value: number): string => (100 * value).toFixed(1);

/** The share with its interval of 95 %, in percent. */
function toText({ compared, found }: Count): string {
  const share = found / compared;
  const interval = wilsonInterval(share, compared);
  return interval === null
    ? '-'
    : `${percent(share)} (${percent(interval.low)} to ${percent(interval.high)})`;
}

/** Every combination of the given values. */
function combine(lists: { [Key in keyof Brand]: Exclude<Brand[Key], undefined>[] }): Brand[] {
  return Object.entries(lists).reduce<Partial<Brand>[]>(
    (brands, [key, values]) => brands.flatMap((brand) => values.map((value) => ({ ...brand, [key]: value }))),
    [{}],
  ) as Brand[];
}

function* simulate(brand: Brand, most: number) {
  const times = Math.ceil(most * Math.min(1, 20 / brand.prompts));
  for (let time = 0; time < times; time += 1) {
    seed += 1;
    yield simulateBrand({ ...brand, seed });
  }
}

/** How many comparisons give `up` or `down`. Those that are not comparable do not count. */
function countVerdicts(brand: Brand, metrics: readonly Metric[], most: number): Count[] {
  const counts = metrics.map((metric) => ({ metric, compared: 0, found: 0 }));
  for (const { a, b } of simulate(brand, most)) {
    for (const count of counts) {
      const { verdict } = compareCells(a, b, count.metric);
      if (verdict === 'not_comparable') continue;
      count.compared += 1;
      count.found += verdict === 'no_evidence' ? 0 : 1;
    }
  }
  return counts;
}

const toColumns = ({ prompts, cellsPerPrompt, base, rho, samples, samplesB = samples }: Brand): string[] => [
  `${prompts} x ${cellsPerPrompt}`,
  `${base}, ${rho}`,
  `${samples}, ${samplesB}`,
];
const heads = ['prompts x cells', 'rate, correlation', 'answers in a, b'];

/** Writes how often unchanged brands get a verdict, in percent. Returns the counts of all brands and metrics. */
function measureFalseAlarms(brands: readonly Brand[], metrics: readonly Metric[], most: number): Count[] {
  writeRow(...heads, ...metrics);
  return brands.flatMap((brand) => {
    const counts = countVerdicts(brand, metrics, most);
    writeRow(...toColumns(brand), ...counts.map(toText));
    return counts;
  });
}

/** The standard deviation of a prompt's difference in mention rate: chance in both windows, and unequal effects. */
function deviation({ base, effect, rho, samples, cellsPerPrompt }: Brand): number {
  const chance = [base, base + effect].reduce((sum, rate) => sum + rate * (1 - rate) * (1 - rho), 0);
  const points = 2_000;
  const squares = Array.from({ length: points }, (_, index) => {
    const u = (index + 0.5) / points;
    return (propensityAt(u, base + effect, rho) - propensityAt(u, base, rho) - effect) ** 2;
  });
  const spread = squares.reduce((sum, square) => sum + square, 0) / points;
  return Math.sqrt(chance / (samples * cellsPerPrompt) + spread);
}

type Power = Count & { prompts: number; expected: number };

/** Writes how often a changed mention rate is found, next to the power of the t interval for normal differences. */
function measurePower(brands: readonly Brand[], most: number): Power[] {
  writeRow(...heads, 'effect', 'found', 'expected');
  return brands.flatMap((brand) => {
    const expected = pairedPower(brand.prompts, brand.effect / deviation(brand));
    return countVerdicts(brand, ['mention_rate'], most).map((count) => {
      writeRow(...toColumns(brand), brand.effect, toText(count), percent(expected));
      return { ...count, prompts: brand.prompts, expected };
    });
  });
}

/** Writes how often the bounds of a window's mention rate contain that of all prompts of this kind. */
function measureCoverage(brands: readonly Brand[], most: number): void {
  writeRow(...heads, 'bounds contain rate');
  for (const brand of brands) {
    const windows = simulate(brand, most).map(({ a }) => windowRates(a.cells));
    const count = { compared: 0, found: 0 };
    for (const { mentionRateLow, mentionRateHigh } of windows) {
      count.compared += 1;
      count.found += mentionRateLow! <= 100 * brand.base && 100 * brand.base <= mentionRateHigh! ? 1 : 0;
    }
    writeRow(...toColumns(brand), toText(count));
  }
}

/** The probability of at least as many (the binomial distribution), if each comparison is found with `rate`. */
const chanceOfMore = ({ compared, found }: Count, rate: number): number =>
  found === 0 ? 1 : incbet(found, compared - found + 1, rate);

const chanceOfFewer = ({ compared, found }: Count, rate: number): number =>
  found === compared ? 1 : incbet(compared - found, found + 1, 1 - rate);

/** Whether none of these is below what chance gives in 5 % of runs, over all of them together (Bonferroni). */
const areWithinChance = (chances: readonly number[]): boolean =>
  chances.every((chance) => chance >= 0.05 / chances.length);

const total = (counts: readonly Count[]): Count => ({
  compared: counts.reduce((sum, { compared }) => sum + compared, 0),
  found: counts.reduce((sum, { found }) => sum + found, 0),
});

function check(isMet: boolean, text: string): void {
  write(`${text}: ${isMet ? 'met' : 'MISSED'}`);
  if (!isMet) process.exitCode = 1;
}

write('Unchanged brands, equally many answers: verdicts up or down, % (95 % interval)');
const equal = { base: [0.1, 0.5], rho: [0, 0.3, 0.7], samples: [1, 7], effect: [0], cellsPerPrompt: [3] };
const falseAlarms = [
  ...measureFalseAlarms(combine({ ...equal, prompts: promptCounts }), ['mention_rate', 'score'], comparisons),
  ...measureFalseAlarms(
    combine({ ...equal, base: [0.3], rho: [0.3], prompts: promptCounts }),
    ['citation_rate', 'sentiment'],
    comparisons / 2,
  ),
];

write('\nUnchanged brands, fewer answers in b: verdicts up or down, %. Not an objective: a known limit');
const unequal = { base: [0.1], rho: [0, 0.3], samples: [7, 28], samplesB: [1], effect: [0] };
measureFalseAlarms(
  combine({ ...unequal, cellsPerPrompt: [1, 3], prompts: promptCounts }),
  ['mention_rate', 'score'],
  comparisons / 4,
);

write('\nBrands with a change: verdicts up or down, %');
const powers = measurePower(
  combine({ ...equal, base: [0.3], effect: [0.15], prompts: promptCounts }),
  comparisons / 2,
);

write('\nWindows: bounds that contain the mention rate of all prompts of this kind, %');
measureCoverage(combine({ ...equal, prompts: promptCounts }), comparisons / 4);

const all = total(falseAlarms);
write(`\n${all.compared} comparisons of unchanged brands: ${toText(all)} % up or down`);
check(areWithinChance([chanceOfMore(all, maxFalseAlarms)]), 'At most 5 % of them together');
check(
  areWithinChance(falseAlarms.map((count) => chanceOfMore(count, maxFalseAlarms))),
  'At most 5 % of each brand and metric, within chance',
);
check(
  areWithinChance(
    powers
      .filter(({ prompts }) => prompts >= minPromptsOfPower)
      .map((power) => chanceOfFewer(power, power.expected)),
  ),
  `At least the expected power from ${minPromptsOfPower} prompts on, within chance`,
);
