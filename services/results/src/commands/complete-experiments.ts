import { experimentCompleted, publishEvent } from '@bv/events';
import { type Transaction, transaction } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import type { Context } from '../context.ts';
import { findBrand } from '../db/brands.ts';
import { type ExperimentKey, findDueExperiment, updateExperiment } from '../db/experiments.ts';
import { toDay } from '../domain/calendar.ts';
import { type ExperimentRow, toExperiment } from '../domain/experiment.ts';
import { lockMeasured, measureExperiment } from './measure-experiment.ts';

/** Stores the result of an experiment whose last day is over, and publishes it. The caller holds both locks. */
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

type Job = Pick<Context, 'pool' | 'now'> & { log: Logger };

/** Completes the experiments that ended before today, and replaces outdated results. */
export async function completeExperiments({ pool, now, log }: Job, stopping: AbortSignal): Promise<void> {
  const today = toDay(now());
  let due = await findDueExperiment(pool, { today, after: null });
  while (due !== undefined && !stopping.aborted) {
    const { id, org_id: orgId, brand_id: brandId } = due;
    try {
      await transaction(pool, (tx) => updateDue(tx, { id, orgId, brandId }, now()));
    } catch (error) {
      // The others must not wait for it.
      log.warn({ err: error, experimentId: id }, 'an experiment cannot be measured; retrying');
    }
    due = await findDueExperiment(pool, { today, after: id });
  }
}

/** Another process may have done it meanwhile. */
async function updateDue(tx: Transaction, key: ExperimentKey, now: Date): Promise<void> {
  const experiment = await lockMeasured(tx, key);
  if (experiment === undefined) return;
  const isOpen = experiment.stopped_at === null && experiment.completed_at === null;
  if (isOpen) {
    await completeExperiment(tx, experiment, now);
  } else if (experiment.is_outdated) {
    const result = await measureExperiment(tx, experiment, toDay(now));
    await updateExperiment(tx, { id: experiment.id, result, end: null, at: now });
  }
}
