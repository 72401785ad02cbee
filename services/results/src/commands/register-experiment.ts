import { randomUUID } from 'node:crypto';
import { ApiError, type PrecisionMetric, validationError } from '@bv/contract';
import type { PlatformId } from '@bv/contract';
import { isPurged } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import { type Arms, createArmSeries, smallestDetectableEffect } from '@bv/statistics';
import { readArmPeriods } from '../db/arm-periods.ts';
import { type BrandRow, insertBrandToken, lockBrand } from '../db/brands.ts';
import { countOpenExperiments, insertExperiment } from '../db/experiments.ts';
import { listPromptTexts } from '../db/prompts.ts';
import { addDays, countDays, toDay } from '../domain/calendar.ts';
import type { ExperimentRow } from '../domain/experiment.ts';
import { type ArmPrompts, type ArmRequest, resolveArms } from '../domain/experiment-arms.ts';
import { completeExperiment } from './complete-experiments.ts';

const maxOpen = 50;
const maxDaysAway = 366;
/** Days before the creation that show how much prompts usually change. */
const designDays = 92;

export type Registration = {
  name: string;
  metric: PrecisionMetric;
  starts_on: string;
  treated: ArmRequest;
  control: ArmRequest;
  pre_days: number;
  washout_days: number;
  post_days: number;
  platforms: PlatformId[] | null;
  countries: string[] | null;
  note: string | null;
};

/** Registers an experiment. Throws the refusals of createExperiment. */
export async function registerExperiment(
  tx: Transaction,
  brand: BrandRow,
  { now, ...given }: Registration & { now: Date },
): Promise<ExperimentRow> {
  const today = toDay(now);
  if (await isPurged(tx, brand.org_id)) throw new ApiError('not_found');
  if (Math.abs(countDays({ from: today, to: given.starts_on }) - 1) > maxDaysAway) {
    throw validationError([
      { path: 'starts_on', code: 'too_far', message: `At most ${maxDaysAway} days before or after today` },
    ]);
  }
  // Two creations at once: the second one waits, and counts the first.
  const locked = await lockBrand(tx, brand.id);
  if (locked?.sunset_at !== null) {
    throw new ApiError('brand_archived', { details: { brand_id: brand.id } });
  }
  // Later locks need a row too.
  await insertBrandToken(tx, { id: brand.id, orgId: brand.org_id });
  const resolved = resolveArms(given, await listPromptTexts(tx, brand.id));
  if ('details' in resolved) throw validationError(resolved.details);
  const postFrom = addDays(given.starts_on, given.washout_days);
  const postTo = addDays(postFrom, given.post_days - 1);
  if (postTo >= today && (await countOpenExperiments(tx, brand.id, today)) >= maxOpen) {
    throw new ApiError('conflict', { message: `A brand has at most ${maxOpen} open experiments` });
  }
  const experiment = await insertExperiment(tx, {
    id: randomUUID(),
    org_id: brand.org_id,
    brand_id: brand.id,
    at: now,
    name: given.name,
    metric: given.metric,
    starts_on: given.starts_on,
    pre_from: addDays(given.starts_on, -given.pre_days),
    post_from: postFrom,
    post_to: postTo,
    treated_prompt_ids: resolved.arms.treated.promptIds,
    treated_tags: resolved.arms.treated.tags,
    control_prompt_ids: resolved.arms.control.promptIds,
    control_tags: resolved.arms.control.tags,
    platforms: given.platforms,
    countries: given.countries,
    note: given.note,
    smallest_detectable: await findSmallestEffect(tx, brand.id, { ...given, today, arms: resolved.arms }),
  });
  return experiment.post_to < today ? completeExperiment(tx, experiment, now) : experiment;
}

type Design = Pick<Registration, 'metric' | 'platforms' | 'countries' | 'post_days'> & {
  today: string;
  arms: Arms<ArmPrompts>;
};

async function findSmallestEffect(
  tx: Transaction,
  brandId: string,
  { arms, today, post_days: postDays, ...answers }: Design,
): Promise<number | null> {
  const prompts = { treated: arms.treated.promptIds, control: arms.control.promptIds };
  const promptIds = [...prompts.treated, ...prompts.control];
  const periods = Math.floor(designDays / postDays);
  const starts = Array.from({ length: periods }, (_, index) => addDays(today, (index - periods) * postDays));
  const batches = readArmPeriods(tx, { brandId, promptIds, ...answers }, { starts, to: addDays(today, -1) });
  return smallestDetectableEffect(await createArmSeries(batches, prompts, periods), {
    periods,
    prompts: { treated: prompts.treated.length, control: prompts.control.length },
  });
}
