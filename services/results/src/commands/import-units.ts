import { type Pool, transaction } from '@bv/postgres';
import type { FinalisedUnit } from '../db/units.ts';
import { insertUnscoredDays } from '../db/unscored-days.ts';
import { ingestUnits, type TokenEvents } from './ingest-units.ts';

const RETRIES = 3;

/**
 * Stores a batch of imported units and notes the days it touches, in one transaction: a day is scored once its last
 * batch is in, not with each. Returns how many were new, and the events of their brands. Sends no `scan.scored`: an import triggers no webhooks.
 */
export function importUnits(
  pool: Pool,
  units: FinalisedUnit[],
): Promise<{ imported: number; tokenEvents: TokenEvents }> {
  return transaction(
    pool,
    async (tx) => {
      const { fresh, tokenEvents } = await ingestUnits(tx, units);
      await insertUnscoredDays(tx, fresh);
      return { imported: fresh.length, tokenEvents };
    },
    { retries: RETRIES },
  );
}
