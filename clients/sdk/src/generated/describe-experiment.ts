// Generated from @bv/contract by `pnpm generate`; changes belong there.

import type { Experiment } from './types.ts';

type Result = NonNullable<Experiment['result']>;

const verdicts: Record<NonNullable<Result['verdict']>, string> = {
  up: 'The treated prompts rose against the control prompts, by more than chance.',
  down: 'The treated prompts fell against the control prompts, by more than chance.',
  no_evidence: 'The figures do not show an effect.',
  not_comparable: 'The arms cannot be compared.',
};

const reasons: Record<Result['reasons'][number], string> = {
  too_few: 'an arm has fewer than five prompts with answers in both windows',
  method_changed: 'the method version changed',
  incomplete: 'more than 20 % of the units of a window failed',
  model_changed: 'a platform answered with other models',
  surface_changed: 'a platform was asked in another way',
  competitors_changed: 'the tracked competitors changed',
  unequal_answers: 'one window has over four times as many answers',
  pre_trend: 'the arms already moved apart before the change',
  arms_differ: 'the arms are more than 15 points apart, so one shock may move them by different points',
};

/**
 * An experiment in sentences, to show to people or to a model: its platforms and markets if not all, both arms, the
 * effect, the verdict and its reasons.
 * Verdicts and reasons of later versions of the API are shown as they are.
 */
export function describeExperiment(experiment: Experiment): string {
  const { metric, status, post, result } = experiment;
  const name = `${experiment.name}${toScope(experiment)}`;
  if (result === null) {
    const isOver = status === 'completed' || status === 'stopped';
    const why = isOver ? 'One of the windows has no answers.' : 'There is no result.';
    return `${name}: ${status}. ${why}`;
  }
  const { treated, control, effect, p_value: pValue, verdict, reasons: why } = result;
  const show = ({ before, after, prompts }: Result['treated']): string =>
    `${before ?? 'no value'} to ${after ?? 'no value'} (${prompts} prompts)`;
  const chance = pValue === null ? '' : `, p = ${pValue}`;
  return [
    `${name}: ${metric} of the treated prompts from ${show(treated)}, of the control prompts from ${show(control)}.`,
    effect === null
      ? 'No effect can be computed.'
      : `Effect ${signed(effect.value)}, ${100 * effect.confidence} % interval ${signed(effect.low)} to ${signed(effect.high)}${chance}.`,
    verdict === null ? toOpenEnd(status, post.to) : `Verdict ${verdict}. ${verdicts[verdict] ?? ''}`.trim(),
    ...(why.length === 0 ? [] : [`Note: ${why.map((reason) => reasons[reason] ?? reason).join('; ')}.`]),
  ].join(' ');
}

function toScope({ platforms, countries }: Experiment): string {
  const scope = [
    ...(platforms === null ? [] : [`on ${platforms.join(', ')}`]),
    ...(countries === null ? [] : [`in ${countries.join(', ')}`]),
  ];
  return scope.length === 0 ? '' : ` (${scope.join(' ')})`;
}

const toOpenEnd = (status: Experiment['status'], lastDay: string): string =>
  status === 'stopped' ? 'It was stopped, so it has no verdict.' : `The verdict comes after ${lastDay}.`;

const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));
