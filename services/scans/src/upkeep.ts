import { pruneOperations } from '@bv/http';
import type { Pool } from '@bv/postgres';
import { deleteScheduleRunsBefore } from './db/schedule-runs.ts';
import { deleteOldUnits } from './db/units.ts';
import { dayOf } from './domain/calendar.ts';

const batch = 5_000;
const mostBatches = 200;
const unitDays = 30;
const scheduleRunDays = 7;

/** Forgets what nobody asks for any more: recorded answers, units of ended jobs, past days of the schedule. */
export async function upkeep(pool: Pool, now: Date): Promise<void> {
  await pruneOperations(pool);
  await deleteScheduleRunsBefore(pool, dayOf(new Date(now.getTime() - scheduleRunDays * 86_400_000)));
  for (let round = 0; round < mostBatches; round += 1) {
    if ((await deleteOldUnits(pool, unitDays, batch)) < batch) return;
  }
}
