import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, transaction } from '@bv/postgres';
import type { Logger } from '@bv/telemetry';
import { setWorkMem } from '../db/day-sums.ts';
import { deleteUnwindowedDay, lockUnwindowedDay, type UnwindowedDay } from '../db/unwindowed-days.ts';
import { scoreWindows } from './score-windows.ts';

/**
 * Windows every unwindowed day, the oldest day of a brand first, one in each transaction. Pauses as long as each took,
 * so that requests and scans have the other half of the database's time. A day that fails is logged and skipped.
 */
export async function windowHistory(
  { pool, log }: { pool: Pool; log: Logger },
  stopping: AbortSignal,
): Promise<void> {
  let day: UnwindowedDay | undefined;
  do {
    const started = performance.now();
    day = await windowNextDay({ pool, log }, day);
    await sleep(performance.now() - started, undefined, { signal: stopping }).catch(() => undefined);
  } while (day !== undefined && !stopping.aborted);
}

/** Returns the day after `after` that was windowed or failed, or undefined if there is none without a lock. */
async function windowNextDay(
  { pool, log }: { pool: Pool; log: Logger },
  after: UnwindowedDay | undefined,
): Promise<UnwindowedDay | undefined> {
  let day: UnwindowedDay | undefined;
  try {
    await transaction(pool, async (tx) => {
      day = await lockUnwindowedDay(tx, after);
      if (day === undefined) return;
      const { brand_id: brandId, run_date: runDate } = day;
      // Another replica windowed it after this statement began and before the lock.
      if ((await deleteUnwindowedDay(tx, brandId, runDate)) === 0) return;
      await setWorkMem(tx);
      await scoreWindows(tx, brandId, runDate);
    });
  } catch (error) {
    if (day === undefined) throw error;
    log.warn({ err: error, brandId: day.brand_id, runDate: day.run_date }, 'a day could not be windowed');
  }
  return day;
}
