import { type EventData, jobChanged, publishEvent, publishEvents, unitFinalised } from '@bv/events';
import type { Transaction } from '@bv/postgres';
import type { JobRow } from '../db/jobs.ts';
import type { MarketUnits } from '../db/units.ts';

/** Publishes the state of a job; `unitsByMarket` of one whose units have all ended. */
export function publishJob(tx: Transaction, job: JobRow, unitsByMarket?: MarketUnits[]): Promise<string> {
  return publishEvent(tx, jobChanged, {
    aggregateId: job.id,
    version: job.version,
    data: {
      job_id: job.id,
      org_id: job.org_id,
      brand_id: job.brand_id,
      status: job.status,
      trigger: job.trigger,
      run_date: job.run_date,
      idempotency_key: job.idempotency_key,
      units: {
        total: job.units_total,
        answered: job.units_answered,
        no_answer: job.units_no_answer,
        failed: job.units_failed,
      },
      platforms: job.platforms,
      countries: job.countries,
      units_by_market: unitsByMarket,
      queued_at: job.queued_at,
      started_at: job.started_at,
      completed_at: job.completed_at,
    },
  });
}

type PublishedUnit = { data: EventData<typeof unitFinalised>; traceparent: string | undefined };

/** Publishes units with an answer or without one. Their version is always 1, because a unit is finalised once. */
export function publishUnits(tx: Transaction, units: readonly PublishedUnit[]): Promise<string[]> {
  return publishEvents(
    tx,
    unitFinalised,
    units.map(({ data, traceparent }) => ({ aggregateId: data.unit_id, version: 1, data, traceparent })),
  );
}
