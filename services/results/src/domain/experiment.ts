import type { Experiment, ExperimentResult, PlatformId } from '@bv/contract';
import type { ArmFigures, ExperimentEstimate } from '@bv/statistics';
import { addDays } from './calendar.ts';
import { rounded } from './formulas.ts';
import { roundInterval } from './score-comparison.ts';

/** A registered experiment. `result` is the one stored last. */
export type ExperimentRow = {
  id: string;
  org_id: string;
  brand_id: string;
  created_at: string;
  name: string;
  metric: Experiment['metric'];
  starts_on: string;
  pre_from: string;
  post_from: string;
  post_to: string;
  treated_prompt_ids: string[];
  treated_tags: string[];
  control_prompt_ids: string[];
  control_tags: string[];
  platforms: PlatformId[] | null;
  countries: string[] | null;
  note: string | null;
  smallest_detectable: number | null;
  stopped_at: string | null;
  completed_at: string | null;
  result: ExperimentResult | null;
  is_outdated: boolean;
};

export function toStatus(row: ExperimentRow, today: string): Experiment['status'] {
  if (row.stopped_at !== null) return 'stopped';
  if (row.completed_at !== null || row.post_to < today) return 'completed';
  return row.starts_on > today ? 'registered' : 'running';
}

/** The public form, with a result. */
export function toExperiment(
  row: ExperimentRow,
  { today, result }: { today: string; result: ExperimentResult | null },
): Experiment {
  return {
    id: row.id,
    brand_id: row.brand_id,
    name: row.name,
    metric: row.metric,
    status: toStatus(row, today),
    preregistered: row.starts_on > row.created_at.slice(0, 10),
    registered_at: row.created_at,
    starts_on: row.starts_on,
    pre: { from: row.pre_from, to: addDays(row.starts_on, -1) },
    post: { from: row.post_from, to: row.post_to },
    treated: { prompt_ids: row.treated_prompt_ids, tags: row.treated_tags },
    control: { prompt_ids: row.control_prompt_ids, tags: row.control_tags },
    platforms: row.platforms,
    countries: row.countries,
    note: row.note,
    design: {
      treated_prompts: row.treated_prompt_ids.length,
      control_prompts: row.control_prompt_ids.length,
      smallest_detectable: rounded(row.smallest_detectable),
    },
    result,
  };
}

/** The public form of an estimate. */
export function toExperimentResult(
  estimate: ExperimentEstimate,
  status: Experiment['status'],
): ExperimentResult {
  const { effect, preTrend, tests } = estimate;
  return {
    treated: toArmResult(estimate.treated),
    control: toArmResult(estimate.control),
    effect: effect && { ...effect, ...roundInterval(effect) },
    p_value: tests && tests.pValue,
    placebo: tests && { p_value: tests.placeboPValue },
    pre_trend: preTrend && roundInterval(preTrend),
    verdict: tests?.verdict ?? null,
    reasons: estimate.reasons,
    final: status === 'completed' || status === 'stopped',
  };
}

const toArmResult = ({ before, after, unitsBefore, unitsAfter, prompts }: ArmFigures) => ({
  before: rounded(before),
  after: rounded(after),
  units_before: unitsBefore,
  units_after: unitsAfter,
  prompts,
});
