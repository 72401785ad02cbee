import { stdtri } from 'cephes';
import type { Answer } from './simulated-brand.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const squares = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0);
const varianceOfMean = (values: readonly number[]): number =>
  squares(values) / (values.length - 1) / values.length;

/** Mentions of each prompt on each day, as a share. */
function toShares(answers: readonly Answer[], prompts: number, days: number): number[][] {
  const each = (days * prompts) / answers.length;
  const shares = Array.from({ length: prompts }, () => Array.from({ length: days }, () => 0));
  for (const { prompt, day, position } of answers) if (position > 0) shares[prompt]![day]! += each;
  return shares;
}

/**
 * Whether two intervals of complete windows exclude 0. The first has the variance of prompts plus that of days minus
 * that of both: Cameron, Gelbach and Miller (2011), "Robust inference with multiway clustering", JBES 29, 238-249. The
 * second is the t interval of two samples of days.
 */
export function findsByDay(
  a: readonly Answer[],
  b: readonly Answer[],
  prompts: number,
  days: number,
): boolean[] {
  const windows = [a, b].map((answers) => toShares(answers, prompts, days));
  const changes = windows[0]!.map((before, prompt) => mean(windows[1]![prompt]!) - mean(before));
  const ofDays = windows.map((shares) =>
    varianceOfMean(shares[0]!.map((_, day) => mean(shares.map((row) => row[day]!)))),
  );
  const ofBoth = windows.map((shares) => mean(shares.map((row) => varianceOfMean(row))) / prompts);
  const byDay = ofDays[0]! + ofDays[1]!;
  const twoWay = varianceOfMean(changes) + Math.max(0, byDay - ofBoth[0]! - ofBoth[1]!);
  const excludes = (variance: number, degrees: number): boolean =>
    Math.abs(mean(changes)) > stdtri(degrees, 0.975) * Math.sqrt(variance);
  return [excludes(twoWay, Math.min(prompts - 1, 2 * days - 2)), excludes(byDay, 2 * days - 2)];
}
