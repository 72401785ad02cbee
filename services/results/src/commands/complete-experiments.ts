import { experimentCompleted, publishEvent } from '@bv/events';
import { type Transaction, transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { findBrand } from '../db/brands.ts';
import { lockEndedExperiment, lockOutdatedExperiment, updateExperiment } from '../db/experiments.ts';
import { toDay } from '../domain/calendar.ts';
import { type ExperimentRow, toExperiment } from '../domain/experiment.ts';
import { measureExperiment } from './measure-experiment.ts';

/** Stores the result of an experiment whose last day is over, and publishes it. The caller holds its row. */
export async function completeExperiment(
  tx: Transaction,
  experiment: ExperimentRow,
  now: Date,
): Promise<ExperimentRow> {
  const today = toDay(now);
  const result = await measureExperiment(tx, experiment, today);
  const completed = await updateExperiment(tx, { id: experiment.id, result, end: 'completed', at: now });
  const brand = await findBrand(tx, experiment.brand_id);
  if (brand === undefined) return completed;
  const { id, name, domain, external_ref } = brand;
  await publishEvent(tx, experimentCompleted, {
    aggregateId: experiment.id,
    version: 1,
    data: {
      org_id: experiment.org_id,
      brand_id: id,
      brand: { id, name, domain, external_ref },
      experiment: toExperiment(completed, { today, result }),
    },
  });
  return completed;
}

/** Completes the experiments that ended before today, and replaces results whose days were scored again. */
export async function completeExperiments(ctx: Context, stopping: AbortSignal): Promise<void> {
  const now = ctx.now();
  const today = toDay(now);
  const complete = async (tx: Transaction, after: string | null): Promise<string | null> => {
    const experiment = await lockEndedExperiment(tx, { today, after });
    if (experiment !== undefined) await completeExperiment(tx, experiment, now);
    return experiment?.id ?? null;
  };
  const replace = async (tx: Transaction, after: string | null): Promise<string | null> => {
    const experiment = await lockOutdatedExperiment(tx, after);
    if (experiment === undefined) return null;
    const result = await measureExperiment(tx, experiment, today);
    await updateExperiment(tx, { id: experiment.id, result, end: null, at: now });
    return experiment.id;
  };
  for (const handle of [complete, replace]) {
    let id: string | null = null;
    do id = await transaction(ctx.pool, (tx) => handle(tx, id));
    while (id !== null && !stopping.aborted);
  }
}
