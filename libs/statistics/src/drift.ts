import { mean, ratio } from './cells.ts';
import { squares, tQuantile } from './paired-test.ts';

/** How many of a day's units have a property. */
export type DayShare = { count: number; units: number };
/** A size of a day, such as the median length, measured on some units. It is above 0. */
export type DaySize = { size: number; units: number };

/** Days with fewer units are not compared. */
const minUnits = 30;
const minDays = 7;
/** Of a single test. A platform and year has about 2,000. */
const confidence = 0.9999;
const minRatio = 1.2;
/** Lower shares count as this one, so that a ratio of two rare events is no drift. */
const minShare = 0.05;

/** Whether the share of a day differs from those of the days before by more than chance and the minimum ratio. */
export function hasShareDrifted(day: DayShare, before: readonly DayShare[]): boolean {
  const compared = toCompared(day, before);
  if (compared === null) return false;
  const usual = mean(compared.map(toShare)) ?? 0;
  const sampling = mean(compared.map(({ units }) => 1 / (4 * units))) ?? 0;
  return (
    differs(Math.max(toShare(day), minShare), Math.max(usual, minShare)) &&
    isOutside(toAngle(day), compared.map(toAngle), toPrediction(day, compared, sampling))
  );
}

/** Whether the size of a day differs from those of the days before by more than chance and the minimum ratio. */
export function hasSizeDrifted(day: DaySize, before: readonly DaySize[]): boolean {
  const compared = toCompared(day, before);
  if (compared === null) return false;
  const sizes = compared.map(({ size }) => Math.log(size));
  const usual = Math.exp(mean(sizes) ?? 0);
  return differs(day.size, usual) && isOutside(Math.log(day.size), sizes, toPrediction(day, compared, 0));
}

type Prediction = { leastVariance: number; scale: number };

/** The spread of the days before includes what moves all answers of a day. A smaller day varies more. */
const toPrediction = (
  { units }: { units: number },
  before: readonly { units: number }[],
  leastVariance: number,
): Prediction => ({
  leastVariance,
  scale: Math.max(1, (mean(before.map((each) => each.units)) ?? 0) / units),
});

/**
 * Whether a value is outside the prediction interval of one further observation,
 * mean +/- t(k - 1) s sqrt(1 + 1 / k): Hahn (1969), "Factors for calculating two-sided prediction intervals for samples
 * from a normal distribution", Journal of the American Statistical Association 64, 878-888.
 */
function isOutside(value: number, before: readonly number[], { leastVariance, scale }: Prediction): boolean {
  const days = before.length;
  const variance = Math.max(squares(before) / (days - 1), leastVariance) * (scale + 1 / days);
  return Math.abs(value - (mean(before) ?? 0)) > tQuantile(days - 1, confidence) * Math.sqrt(variance);
}

/** Null if the day has too few units, or less than half of the usual number, or too few days have enough. */
function toCompared<Day extends { units: number }>(day: Day, before: readonly Day[]): Day[] | null {
  const compared = before.filter(({ units }) => units >= minUnits);
  const usual = mean(compared.map(({ units }) => units)) ?? 0;
  return day.units >= Math.max(minUnits, usual / 2) && compared.length >= minDays ? compared : null;
}

const toShare = ({ count, units }: DayShare): number => ratio(count, units) ?? 0;

/**
 * The angle of a share: its sampling variance is 1 / (4 n) for every share.
 * Anscombe (1948), "The transformation of Poisson, binomial and negative-binomial data", Biometrika 35, 246-254.
 */
const toAngle = ({ count, units }: DayShare): number =>
  Math.asin(Math.sqrt((count + 3 / 8) / (units + 3 / 4)));

const differs = (a: number, b: number): boolean => Math.max(a, b) >= minRatio * Math.min(a, b);
