import type { ScoreComparison } from './resources/score-comparison.ts';

const verdicts: Record<ScoreComparison['verdict'], string> = {
  up: 'The interval is above 0: the rise is larger than answers vary by chance.',
  down: 'The interval is below 0: the fall is larger than answers vary by chance.',
  no_evidence: 'The interval contains 0: the figures do not show a change.',
  not_comparable: 'The periods cannot be compared.',
};

const reasons: Record<ScoreComparison['reasons'][number], string> = {
  too_few: 'fewer than five prompts can be compared',
  model_changed: 'a platform answered with other models',
  surface_changed: 'a platform was asked in another way',
  method_changed: 'the method version changed',
  competitors_changed: 'the tracked competitors changed',
  incomplete: 'more than 20 % of the units of a period failed',
  unequal_answers: 'one period has over four times as many answers',
  partial_run: 'units of a scan failed',
  prompt_set_changed: 'less than 80 % of the cells are in both',
  short_window: 'a period has fewer than three days',
  platform_drift: 'answers of a platform changed their shape',
};

/**
 * A comparison in sentences, to show to people or to a model: the figures, the interval, the verdict and its reasons.
 * Verdicts and reasons of later versions of the API are shown as they are.
 */
export function describeComparison({
  metric,
  a,
  b,
  difference,
  verdict,
  reasons: why,
}: ScoreComparison): string {
  const show = ({ value, from, to }: ScoreComparison['a']): string =>
    `${value ?? 'no value'} from ${from} to ${to}`;
  const interval =
    difference === null
      ? 'No difference can be computed.'
      : `Difference ${signed(difference.value)}, ${Number((100 * difference.confidence).toPrecision(6))} % interval ${signed(difference.low)} to ${signed(difference.high)}.`;
  return [
    `${metric}: ${show(b)}, against ${show(a)}, for the ${b.prompts} prompts with answers in both periods (${b.units} and ${a.units} answers).`,
    interval,
    `Verdict ${verdict}. ${verdicts[verdict] ?? ''}`.trim(),
    ...(why.length === 0 ? [] : [`Note: ${why.map((reason) => reasons[reason] ?? reason).join('; ')}.`]),
  ].join(' ');
}

const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));
