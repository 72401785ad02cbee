import { jackknifeTest } from './paired-test.ts';
import { type Interval, z95 } from './wilson-interval.ts';

/** Names, domains or pages in answers: answers, occurrences, and how many occur in exactly one and in two answers. */
export type Incidence = { units: number; incidences: number; once: number; twice: number };

/** An estimate with its bounds, each null where it cannot be computed. */
export type Estimate = { value: number | null; low: number | null; high: number | null };

export type Coverage = {
  /** The probability, in percent, that an occurrence in a further answer is of something seen. */
  coverage: Estimate;
  /** At least so many exist. */
  estimatedTotal: Estimate;
  /** Unseen ones that 100 further answers would show. */
  next100Units: number | null;
};

const unknown: Estimate = { value: null, low: null, high: null };
const confidence = 0.95;

/**
 * What the answers have not shown. `seen` is the number of distinct names; `prompts` has what the totals lose without
 * each prompt. README.md names the sources.
 */
export function estimateCoverage(
  total: Incidence & { seen: number },
  prompts: readonly Incidence[],
): Coverage {
  if (total.units < 2 || total.seen === 0)
    return { coverage: unknown, estimatedTotal: unknown, next100Units: null };
  const unseen = chao2Unseen(total);
  const share = total.once / (total.units * unseen + total.once);
  return {
    coverage: { value: sampleCoverage(total), ...(coverageBounds(total, prompts) ?? noBounds) },
    estimatedTotal: { value: total.seen + unseen, ...totalBounds(total, unseen) },
    next100Units: unseen === 0 ? 0 : unseen * (1 - (1 - share) ** 100),
  };
}

const noBounds = { low: null, high: null };

/** Chao and Jost (2012), equation 4a for incidences. Null without a second answer or an occurrence. */
function sampleCoverage({ units: m, incidences, once, twice }: Incidence): number | null {
  if (m < 2 || incidences === 0) return null;
  if (once === 0) return 100;
  return 100 * (1 - (once / incidences) * (((m - 1) * once) / ((m - 1) * once + 2 * twice)));
}

function coverageBounds(total: Incidence, prompts: readonly Incidence[]): Interval | null {
  const omitted = prompts.map((each) =>
    sampleCoverage({
      units: total.units - each.units,
      incidences: total.incidences - each.incidences,
      once: total.once - each.once,
      twice: total.twice - each.twice,
    }),
  );
  const bounds = jackknifeTest(sampleCoverage(total), omitted, confidence)?.difference;
  return bounds === undefined ? null : { low: Math.max(0, bounds.low), high: Math.min(100, bounds.high) };
}

function chao2Unseen({ units: m, once, twice }: Incidence): number {
  const a = (m - 1) / m;
  return twice > 0 ? (a * once ** 2) / (2 * twice) : (a * once * (once - 1)) / 2;
}

/** Log-normal bounds of Chao (1987), around what is seen. */
function totalBounds(total: Incidence & { seen: number }, unseen: number): Interval {
  if (unseen === 0) return { low: total.seen, high: total.seen };
  const factor = Math.exp(z95 * Math.sqrt(Math.log(1 + chao2Variance(total, unseen) / unseen ** 2)));
  return { low: total.seen + unseen / factor, high: total.seen + unseen * factor };
}

function chao2Variance(
  { units: m, once, twice, seen }: Incidence & { seen: number },
  unseen: number,
): number {
  const a = (m - 1) / m;
  if (twice > 0) {
    const r = once / twice;
    return twice * ((a * r ** 2) / 2 + a ** 2 * r ** 3 + (a ** 2 * r ** 4) / 4);
  }
  return (
    (a * once * (once - 1)) / 2 +
    (a ** 2 * once * (2 * once - 1) ** 2) / 4 -
    (a ** 2 * once ** 4) / (4 * (seen + unseen))
  );
}
