import { type Pool, transaction } from '@bv/postgres';
import type { FinalisedUnit } from '../db/units.ts';
import { insertUnscoredDays } from '../db/unscored-days.ts';
import type { TokenEvents } from '../events/publish.ts';
import { ingestUnits } from './ingest-units.ts';

const maxRetries = 3;

/**
 * Stores a batch of imported units and marks their days as unscored, in one transaction. A day is scored after the last
 * batch, not after each. Returns the number of new units and the change events of their brands. Publishes no
 * `scan.scored`, because an import triggers no webhooks.
 */
export function importUnits(
  pool: Pool,
  units: FinalisedUnit[],
): Promise<{ imported: number; tokenEvents: TokenEvents }> {
  return transaction(
    pool,
    async (tx) => {
      const { newUnits, tokenEvents } = await ingestUnits(tx, units);
      await insertUnscoredDays(tx, newUnits);
      return { imported: newUnits.length, tokenEvents };
    },
    { retries: maxRetries },
  );
}
