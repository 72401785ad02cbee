import type { ExperimentResult } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { createArmSeries, estimateExperiment } from '@bv/statistics';
import { listArmDays } from '../db/arm-days.ts';
import { lockBrandToken } from '../db/brands.ts';
import { type ExperimentKey, lockExperiment } from '../db/experiments.ts';
import { listVerifiedBrands } from '../db/tracked-brands.ts';
import { addDays, countDays } from '../domain/calendar.ts';
import { type ExperimentRow, toExperimentResult, toStatus } from '../domain/experiment.ts';
import { readMeasuredWindows, withVersions } from './compare-windows.ts';

/** Locks an experiment for its end or its result. The lock of the token row comes first, as where a day is scored. */
export async function lockMeasured(tx: Transaction, key: ExperimentKey): Promise<ExperimentRow | undefined> {
  await lockBrandToken(tx, key.brandId);
  return lockExperiment(tx, key);
}

/**
 * The result of an experiment by the answers up to `today`. Null while one of its windows has none. The caller reads in
 * one snapshot, or holds the lock of the brand's token row.
 */
export async function measureExperiment(
  tx: Transaction,
  experiment: ExperimentRow,
  today: string,
): Promise<ExperimentResult | null> {
  const { pre_from: from, post_from: postFrom, post_to: postTo } = experiment;
  const end = experiment.stopped_at?.slice(0, 10) ?? today;
  const to = postTo < end ? postTo : end;
  if (postFrom > to) return null;
  const windows = { pre: { from, to: addDays(experiment.starts_on, -1) }, post: { from: postFrom, to } };
  const dayOf = (day: string): number => countDays({ from, to: day }) - 1;
  const days = {
    pre: { from: 0, to: dayOf(windows.pre.to) },
    post: { from: dayOf(postFrom), to: dayOf(to) },
    washout: countDays({ from: experiment.starts_on, to: postFrom }) - 1,
  };
  const prompts = { treated: experiment.treated_prompt_ids, control: experiment.control_prompt_ids };
  const { brand_id: brandId, metric, platforms, countries } = experiment;
  const answers = { promptIds: [...prompts.treated, ...prompts.control], metric, platforms, countries };
  const rows = await listArmDays(tx, { ...answers, brandId }, { from, to });
  const hasAnswer = (window: { from: number; to: number }): boolean =>
    rows.some(({ day, units }) => units > 0 && day >= window.from && day <= window.to);
  if (!hasAnswer(days.pre) || !hasAnswer(days.post)) return null;
  const series = { ...answers, brandIds: [brandId] };
  const pre = (await readMeasuredWindows(tx, series, windows.pre))(brandId);
  const post = (await readMeasuredWindows(tx, series, windows.post))(brandId);
  const verified = await listVerifiedBrands(tx, [brandId], { from, to });
  const options = { llmCounts: verified.has(brandId) };
  const estimate = estimateExperiment({
    series: createArmSeries(rows, prompts, days.post.to + 1),
    days,
    windows: { pre: withVersions(pre, post, options), post: withVersions(post, pre, options) },
    dependsOnCompetitors: metric === 'score',
    seed: Number.parseInt(experiment.id.slice(0, 8), 16) | 0,
  });
  return toExperimentResult(estimate, toStatus(experiment, today));
}
