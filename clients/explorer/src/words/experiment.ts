import { type ComparedMetric, describeExperiment, type Experiment } from '@bv/sdk';
import { showDay } from '../data/day.ts';
import { metricLabels, showNumber } from './labels.ts';

/** The answer of an experiment in one sentence, or why there is none. */
export function summarise({ metric, status, starts_on: start, post, result }: Experiment): string {
  const end = `The verdict comes after ${showDay(post.to)}.`;
  if (status === 'registered') return `It starts on ${showDay(start)}. ${end}`;
  if (status === 'running') return `It is running. ${end}`;
  if (status === 'stopped') return 'It was stopped, so it has no verdict.';
  const { verdict = null, effect = null } = result ?? {};
  if (verdict === null) return 'It has no verdict, because one of the windows has no answers.';
  if (verdict === 'not_comparable' || effect === null) return 'The two arms cannot be compared.';
  const size = showNumber(Math.abs(effect.value));
  const figure = `The ${metricLabels[metric as ComparedMetric].toLowerCase()} of the treated prompts is`;
  const chance = verdict === 'no_evidence' ? ', which may be chance' : '';
  if (size === '0') return `${figure} as the control prompts predict.`;
  const side = effect.value < 0 ? 'lower' : 'higher';
  return `${figure} ${size} points ${side} than the control prompts predict${chance}.`;
}

/** The sentences of the SDK, with the figure in words, and what the design can find. */
export function describe(experiment: Experiment): string {
  const { metric, preregistered, design, result } = experiment;
  const { treated_prompts: treated, control_prompts: control, smallest_detectable: smallest } = design;
  const found =
    smallest === null
      ? ''
      : ` An effect of ${showNumber(smallest)} points is found in 80 % of such experiments.`;
  const label = metricLabels[metric as ComparedMetric];
  const sentences = result === null ? '' : `${describeExperiment({ ...experiment, metric: label })} `;
  const when = preregistered ? 'before the change' : 'on the day of the change or later';
  return `${sentences}${treated} treated and ${control} control prompts, registered ${when}.${found}`;
}
