import type { Precision } from './resources/precision.ts';

const limits: Record<Exclude<Precision['limited_by'], 'prompts'>, string> = {
  repeats: 'Limited by repeats: more answers to the same prompts would narrow the interval most.',
  too_few:
    'How sure it is cannot be said: that takes five prompts, with two answers to most of them on each platform.',
};

/**
 * How sure a figure is, in sentences: its interval, what limits it, and the smallest change that can be found. Limits of
 * later versions of the API are shown as they are.
 */
export function describePrecision({
  metric,
  from,
  to,
  prompts,
  units,
  level,
  change,
  limited_by: limit,
}: Precision): string {
  const width = level.half_width === null ? '' : ` ± ${level.half_width}`;
  const smallest = change.smallest_detectable_7d;
  return [
    `${metric}: ${level.value ?? 'no value'}${width} from ${from} to ${to}, of ${prompts} prompts (${units} answers).`,
    // The variance is divided by the number of prompts.
    limit === 'prompts'
      ? `Limited by prompts: ${3 * prompts} more would halve the interval.`
      : (limits[limit] ?? `Limited by ${limit}.`),
    ...(smallest === null ? [] : [`A change of ${smallest} points from week to week is usually found.`]),
  ].join(' ');
}
