import { pruneOperations } from '@bv/http';
import { removeInBatches, type Pool } from '@bv/postgres';
import { deleteScheduleRunsBefore } from './db/schedule-runs.ts';
import { deleteOldUnits } from './db/units.ts';
import { dayOf } from './domain/calendar.ts';

const batch = 5_000;
const unitDays = 30;
const scheduleRunDays = 7;

/** Forgets what nobody asks for any more: recorded answers, units of ended jobs, past days of the schedule. */
export async function upkeep(pool: Pool, now: Date, stopping: AbortSignal): Promise<void> {
  await pruneOperations(pool, stopping);
  await deleteScheduleRunsBefore(pool, dayOf(new Date(now.getTime() - scheduleRunDays * 86_400_000)));
  await removeInBatches(batch, (limit) => deleteOldUnits(pool, unitDays, limit), stopping);
}
