import type { DateWindow, ExperimentResult } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { createArmSeries, estimateExperiment } from '@bv/statistics';
import { readArmPeriods } from '../db/arm-periods.ts';
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
  const prompts = { treated: experiment.treated_prompt_ids, control: experiment.control_prompt_ids };
  const { brand_id: brandId, metric, platforms, countries } = experiment;
  const answers = { promptIds: [...prompts.treated, ...prompts.control], metric, platforms, countries };
  const series = { ...answers, brandIds: [brandId] };
  const preDays = { from, to: addDays(experiment.starts_on, -1) };
  const pre = (await readMeasuredWindows(tx, series, preDays))(brandId);
  const postDays = { from: postFrom, to };
  const post = (await readMeasuredWindows(tx, series, postDays))(brandId);
  const isAnswered = ({ cells }: typeof pre): boolean => cells.some(({ units }) => units > 0);
  if (!isAnswered(pre) || !isAnswered(post)) return null;
  const verified = await listVerifiedBrands(tx, [brandId], [preDays, postDays]);
  const options = { llmCounts: verified.has(brandId) };
  const status = toStatus(experiment, today);
  const isTested = status === 'completed';
  const preStarts = listPreStarts(preDays, isTested);
  const starts = [...new Set([...preStarts, experiment.starts_on, postFrom])];
  const last = starts.length - 1;
  const batches = readArmPeriods(tx, { ...answers, brandId }, { starts, to });
  const estimate = await estimateExperiment({
    series: await createArmSeries(batches, prompts, starts.length),
    periods: { pre: { from: 0, to: preStarts.length - 1 }, post: { from: last, to: last } },
    windows: { pre: withVersions(pre, post, options), post: withVersions(post, pre, options) },
    dependsOnCompetitors: metric === 'score',
    tests: isTested
      ? {
          seed: Number.parseInt(experiment.id.slice(0, 8), 16) | 0,
          washoutDays: countDays({ from: experiment.starts_on, to: postFrom }) - 1,
          postDays: countDays(postDays),
        }
      : null,
  });
  return toExperimentResult(estimate, status);
}

/** Days where periods begin. Placebos need each day, the trend only two halves and an odd day between them. */
function listPreStarts({ from, to }: DateWindow, isTested: boolean): string[] {
  const days = countDays({ from, to });
  if (isTested) return Array.from({ length: days }, (_, day) => addDays(from, day));
  const half = Math.floor(days / 2);
  return [...new Set([from, addDays(from, half), addDays(to, 1 - half)])];
}
