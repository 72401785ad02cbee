import { minPrompts } from '@bv/contract';
import { compiled, stdtri } from 'cephes';
import { mean } from './cells.ts';
import { jackknifeTest, tQuantile } from './paired-test.ts';
import { type Components, type ObservedCell, varianceComponents } from './variance-components.ts';
import type { Interval } from './wilson-interval.ts';

await compiled;

const confidence = 0.95;
export const power = 0.8;
const decisionPrompts = 20;
/** Lengths of the windows whose smallest detectable change is computed, in days. */
export const changeDays = [7, 28] as const;
type ChangeDays = (typeof changeDays)[number];

export type PrecisionInput = {
  /** The answers of the window. */
  cells: readonly ObservedCell[];
  days: number;
  /** The half width that is wanted, in points. */
  width: number;
  /** How the differences of prompts between neighbouring windows of each length vary, for each pair of windows. */
  history: Record<ChangeDays, readonly Spread[]>;
};

/** Differences of prompts: their number and their variance. */
export type Spread = { prompts: number; variance: number };

type Share = { share: number | null; low: number | null; high: number | null };

/** Figures in points of 0 to 100, not rounded. Null where they cannot be computed. */
export type Precision = {
  prompts: number;
  cells: number;
  units: number;
  variance: Record<keyof Components, Share> & { total: number | null };
  level: { value: number | null; low: number | null; high: number | null; halfWidth: number | null };
  smallestDetectable: Record<ChangeDays, number | null>;
  limitedBy: 'prompts' | 'repeats' | 'too_few';
  grade: 'decision_grade' | 'directional' | 'exploratory';
  gradeReasons: ('too_few_prompts' | 'too_wide')[];
  /** Whether a smallest detectable change is computed without the windows behind it. */
  lacksHistory: boolean;
  options: PrecisionOption[];
  /** Index of the cheapest option that reaches the width. */
  recommended: number | null;
};

type PrecisionOption = {
  prompts: number;
  repeatsPerDay: number;
  unitsPerDay: number;
  halfWidth: number;
  smallestDetectable28d: number;
};

/** Prompts, strata of a prompt and answers of a prompt in a stratum: means where they differ. */
type Design = { prompts: number; strata: number; repeats: number };

/**
 * How precise the mean over the cells of a window is, what limits it, and what would narrow it. Prompts are random,
 * strata fixed: the level is that of other prompts of this kind on the same platforms and markets.
 * Brennan (2001), "Generalizability theory", chapters 2 to 5, on designs with other numbers of prompts and repeats.
 */
export function measurePrecision(input: PrecisionInput): Precision {
  const cells = input.cells.filter(({ n }) => n > 0);
  const prompts = Map.groupBy(cells, ({ prompt }) => prompt);
  const units = cells.reduce((sum, { n }) => sum + n, 0);
  const value = mean(cells.map(({ n, sum }) => sum / n));
  const counts = { prompts: prompts.size, cells: cells.length, units };
  const { all: components, omitted } = varianceComponents(cells);
  if (components === null || !canEstimate(prompts.size, cells))
    return { ...counts, ...unknown(value, counts.prompts) };
  const design = {
    prompts: prompts.size,
    strata: cells.length / prompts.size,
    repeats: units / cells.length,
  };
  const halfWidth = toHalfWidth(components, design);
  const toChange = (days: ChangeDays): Change =>
    estimateChange(components, design, { days, of: input.days, history: input.history[days] });
  const changes = { 7: toChange(7), 28: toChange(28) };
  const options = listOptions(components, design, { days: input.days, change: changes[28].variance });
  const recommended = options.findIndex((option) => option.halfWidth <= input.width);
  return {
    ...counts,
    variance: toShares(components, omitted),
    level: { value, ...clamp(value, halfWidth), halfWidth },
    smallestDetectable: { 7: changes[7].smallest, 28: changes[28].smallest },
    limitedBy: limitOf(components, design),
    grade: toGrade(halfWidth, design.prompts, input.width),
    gradeReasons: [
      ...(design.prompts < decisionPrompts ? (['too_few_prompts'] as const) : []),
      ...(halfWidth > input.width ? (['too_wide'] as const) : []),
    ],
    lacksHistory: !changes[7].hasHistory || !changes[28].hasHistory,
    options,
    recommended: recommended === -1 ? null : recommended,
  };
}

const canEstimate = (prompts: number, cells: readonly ObservedCell[]): boolean =>
  prompts >= minPrompts && cells.filter(({ n }) => n < 2).length <= cells.length / 2;

const none: Share = { share: null, low: null, high: null };

const unknown = (value: number | null, prompts: number): Omit<Precision, 'prompts' | 'cells' | 'units'> => ({
  variance: { prompt: none, stratum: none, promptByStratum: none, repeat: none, total: null },
  level: { value, low: null, high: null, halfWidth: null },
  smallestDetectable: { 7: null, 28: null },
  limitedBy: 'too_few',
  grade: 'exploratory',
  gradeReasons: prompts < decisionPrompts ? ['too_few_prompts', 'too_wide'] : ['too_wide'],
  lacksHistory: false,
  options: [],
  recommended: null,
});

/** Variance of the mean that more prompts reduce, and that which more repeats reduce too. */
function toErrors({ prompt, promptByStratum, repeat }: Components, { prompts, strata, repeats }: Design) {
  return {
    ofPrompts: prompt / prompts + promptByStratum / (prompts * strata),
    ofRepeats: repeat / (prompts * strata * repeats),
  };
}

function toHalfWidth(components: Components, design: Design): number {
  const { ofPrompts, ofRepeats } = toErrors(components, design);
  return tQuantile(design.prompts - 1, confidence) * Math.sqrt(ofPrompts + ofRepeats);
}

function limitOf(components: Components, design: Design): 'prompts' | 'repeats' {
  const { ofPrompts, ofRepeats } = toErrors(components, design);
  return ofPrompts >= ofRepeats ? 'prompts' : 'repeats';
}

function clamp(value: number | null, halfWidth: number): { low: number | null; high: number | null } {
  if (value === null) return { low: null, high: null };
  return { low: Math.max(0, value - halfWidth), high: Math.min(100, value + halfWidth) };
}

function toGrade(halfWidth: number, prompts: number, width: number): Precision['grade'] {
  if (halfWidth <= width && prompts >= decisionPrompts) return 'decision_grade';
  return halfWidth <= 3 * width && prompts >= minPrompts ? 'directional' : 'exploratory';
}

/** `variance` is that of a prompt's difference between neighbouring windows. */
type Change = { variance: number; smallest: number; hasHistory: boolean };

/** Without enough windows behind it, a difference counts as varying like repeats. */
function estimateChange(
  { repeat }: Components,
  { prompts, strata, repeats }: Design,
  { days, of, history }: { days: number; of: number; history: readonly Spread[] },
): Change {
  const pooled = pooledVariance(history);
  const variance = pooled ?? (2 * repeat * of) / (strata * repeats * days);
  return { variance, smallest: toSmallest(variance, prompts), hasHistory: pooled !== null };
}

/** The difference that a paired t test of these prompts finds with this power. */
const toSmallest = (variance: number, prompts: number): number =>
  (tQuantile(prompts - 1, confidence) + stdtri(prompts - 1, power)) * Math.sqrt(variance / prompts);

/** Null with fewer than two pairs of windows. */
export function pooledVariance(pairs: readonly Spread[]): number | null {
  const used = pairs.filter(({ prompts }) => prompts >= 2);
  if (used.length < 2) return null;
  const degrees = used.reduce((sum, { prompts }) => sum + prompts - 1, 0);
  return used.reduce((sum, { prompts, variance }) => sum + (prompts - 1) * variance, 0) / degrees;
}

const names = ['prompt', 'stratum', 'promptByStratum', 'repeat'] as const;

/** Shares of the total in percent, with the bounds of the delete-one-prompt jackknife. */
function toShares(components: Components, omitted: readonly (Components | null)[]): Precision['variance'] {
  const share = (name: (typeof names)[number]): Share => {
    const value = toShare(components, name);
    const bounds = jackknifeTest(
      value,
      omitted.map((each) => each && toShare(each, name)),
      confidence,
    );
    return { share: value, ...toPercentBounds(bounds?.difference ?? null) };
  };
  const [prompt, stratum, promptByStratum, repeat] = names.map(share);
  return {
    prompt: prompt ?? none,
    stratum: stratum ?? none,
    promptByStratum: promptByStratum ?? none,
    repeat: repeat ?? none,
    total: totalOf(components),
  };
}

const totalOf = (components: Components): number => names.reduce((sum, name) => sum + components[name], 0);

function toShare(components: Components, name: keyof Components): number | null {
  const total = totalOf(components);
  return total === 0 ? null : (100 * components[name]) / total;
}

const toPercentBounds = (bounds: Interval | null): { low: number | null; high: number | null } => ({
  low: bounds && Math.max(0, bounds.low),
  high: bounds && Math.min(100, bounds.high),
});

const promptMultiples = [1, 2, 3, 5, 10];
const repeatChoices = [1, 2, 3, 5];

/** Designs with more prompts or repeats, the cheapest first, for a window of as many days. */
function listOptions(
  components: Components,
  design: Design,
  { days, change }: { days: number; change: number },
): PrecisionOption[] {
  const repeatPart = (answers: number): number => (2 * components.repeat) / (design.strata * answers);
  const present = repeatPart((design.repeats * 28) / days);
  const options = promptMultiples.flatMap((multiple) =>
    repeatChoices.map((repeatsPerDay) => {
      const prompts = design.prompts * multiple;
      const own = repeatPart(repeatsPerDay * 28);
      return {
        prompts,
        repeatsPerDay,
        unitsPerDay: Math.round(prompts * design.strata * repeatsPerDay),
        halfWidth: toHalfWidth(components, { ...design, prompts, repeats: repeatsPerDay * days }),
        smallestDetectable28d: toSmallest(Math.max(own, change - present + own), prompts),
      };
    }),
  );
  return options.toSorted((a, b) => a.unitsPerDay - b.unitsPerDay || b.prompts - a.prompts);
}
