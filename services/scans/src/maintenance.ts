import { pruneOperations } from '@bv/http';
import { removeInBatches, type Pool } from '@bv/postgres';
import { deleteScheduleRunsBefore } from './db/brands.ts';
import { deleteOldUnits } from './db/units.ts';
import { toUtcDay } from './domain/calendar.ts';

const batchSize = 5_000;
const unitDays = 30;
const scheduleRunDays = 7;

/** Deletes expired rows: stored responses of operations, units of ended jobs, past days of the schedule. */
export async function runMaintenance(pool: Pool, now: Date, stopping: AbortSignal): Promise<void> {
  await pruneOperations(pool, stopping);
  await deleteScheduleRunsBefore(pool, toUtcDay(new Date(now.getTime() - scheduleRunDays * 86_400_000)));
  await removeInBatches(batchSize, (limit) => deleteOldUnits(pool, unitDays, limit), stopping);
}
