import type { Pool } from '@bv/postgres';
import { listAccess } from '../db/list-access.ts';
import type { AccessLookup } from '../db/list-access.ts';
import type { AccessRow } from '../domain/access.ts';
import { createBatcher } from '../batcher.ts';

export type AccessReader = { read(lookup: AccessLookup): Promise<AccessRow | undefined> };

/** One query at a time makes the largest batches. A second one may start when the first is slow, so that it does not delay every request. */
const limits = { maxBatchSize: 256, maxInFlight: 2, maxDelayMs: 10 };

/**
 * Reads the access of every request from the database, in batches. A request sees every revocation that was committed
 * before it arrived. Rejects after `timeoutMs`.
 */
export function createAccessReader(pool: Pool, { timeoutMs }: { timeoutMs: number }): AccessReader {
  const read = createBatcher<AccessLookup, AccessRow | undefined>({
    ...limits,
    timeoutMs,
    send: async (lookups) => {
      const rows = await listAccess(pool, lookups);
      const found = new Map(rows.map((row) => [row.lookup, row]));
      return lookups.map((_, lookup) => found.get(lookup));
    },
  });
  return { read };
}
