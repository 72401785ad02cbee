import type { DateWindow, ExperimentResult } from '@bv/contract';
import type { Transaction } from '@bv/postgres';
import { type ComparedWindow, createArmSeries, estimateExperiment } from '@bv/statistics';
import { listArmDays } from '../db/arm-days.ts';
import { lockBrandToken } from '../db/brands.ts';
import { type ExperimentKey, lockExperiment } from '../db/experiments.ts';
import { listMetricCells } from '../db/metric-cells.ts';
import { listScannedUnits } from '../db/scans.ts';
import { listMethodVersions } from '../db/scores.ts';
import { listVerifiedBrands } from '../db/tracked-brands.ts';
import { addDays, countDays } from '../domain/calendar.ts';
import { type ExperimentRow, toExperimentResult, toStatus } from '../domain/experiment.ts';
import { type DayMethod, listComparedVersions } from '../domain/method-versions.ts';

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
  const answers = {
    brandId: experiment.brand_id,
    promptIds: [...prompts.treated, ...prompts.control],
    metric: experiment.metric,
    platforms: experiment.platforms,
    countries: experiment.countries,
  };
  const rows = await listArmDays(tx, answers, { from, to });
  const hasAnswer = (window: { from: number; to: number }): boolean =>
    rows.some(({ day, units }) => units > 0 && day >= window.from && day <= window.to);
  if (!hasAnswer(days.pre) || !hasAnswer(days.post)) return null;
  const estimate = estimateExperiment({
    series: createArmSeries(rows, prompts, days.post.to + 1),
    days,
    windows: await readWindows(tx, experiment, windows),
    dependsOnCompetitors: experiment.metric === 'score',
    seed: Number.parseInt(experiment.id.slice(0, 8), 16) | 0,
  });
  return toExperimentResult(estimate, toStatus(experiment, today));
}

type Windows<T> = { pre: T; post: T };

/** What the answers of both windows were made of. */
async function readWindows(
  tx: Transaction,
  experiment: ExperimentRow,
  { pre, post }: Windows<DateWindow>,
): Promise<Windows<ComparedWindow>> {
  const [before, after] = [await readWindow(tx, experiment, pre), await readWindow(tx, experiment, post)];
  const verified = await listVerifiedBrands(tx, [experiment.brand_id], { from: pre.from, to: post.to });
  const options = { llmCounts: verified.size > 0 };
  const toVersions = (own: MeasuredWindow, other: MeasuredWindow): string[] =>
    listComparedVersions(own.methods, other.methods, options);
  return {
    pre: { ...before, methodVersions: toVersions(before, after) },
    post: { ...after, methodVersions: toVersions(after, before) },
  };
}

type MeasuredWindow = Omit<ComparedWindow, 'methodVersions'> & { methods: readonly DayMethod[] };

async function readWindow(
  tx: Transaction,
  {
    brand_id: brandId,
    metric,
    platforms,
    countries,
    treated_prompt_ids: treated,
    control_prompt_ids: control,
  }: ExperimentRow,
  window: DateWindow,
): Promise<MeasuredWindow> {
  const brandIds = [brandId];
  const series = { brandIds, country: null, platform: null };
  const promptIds = [...treated, ...control];
  const cells = await listMetricCells(tx, { ...series, metric, promptIds }, window);
  const scans = (await listScannedUnits(tx, brandIds, window)).filter(
    ({ platform, country }) =>
      (platforms === null || platforms.some((each) => each === platform)) &&
      (countries === null || countries.includes(country)),
  );
  const methods: DayMethod[] = [];
  for (const country of countries ?? ['']) {
    methods.push(...(await listMethodVersions(tx, { brandIds, country }, window)));
  }
  const sum = (field: 'total' | 'failed'): number => scans.reduce((total, scan) => total + scan[field], 0);
  return {
    cells: cells.get(brandId) ?? [],
    methods,
    days: countDays(window),
    scans: { total: sum('total'), failed: sum('failed'), isPartial: false },
    driftedPlatforms: new Set(),
  };
}
