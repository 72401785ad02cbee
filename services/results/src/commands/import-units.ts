import { transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import type { FinalisedUnit } from '../db/units.ts';
import { ingestUnits } from './ingest-units.ts';
import { scoreDay } from './score-day.ts';

/** Deadlocks with the scans consumer are possible where both write many brands; the batch is taken again. */
const RETRIES = 3;

/**
 * Stores a batch of imported units and recomputes the days it touches, in one transaction. Returns how many were
 * new. Sends no `scan.scored`: an import triggers no webhooks.
 */
export function importUnits(ctx: Context, units: FinalisedUnit[]): Promise<number> {
  return transaction(
    ctx.pool,
    async (tx) => {
      const fresh = await ingestUnits(tx, units);
      const days = new Map(fresh.map((unit) => [`${unit.brand_id}/${unit.run_date}`, unit]));
      for (const { brand_id, run_date } of days.values()) await scoreDay(tx, brand_id, run_date);
      return fresh.length;
    },
    { retries: RETRIES },
  );
}
