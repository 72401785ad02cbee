import type { Pool } from '@bv/postgres';
import { listAccess } from '../db/list-access.ts';
import type { AccessLookup } from '../db/list-access.ts';
import type { AccessRow } from '../domain/access.ts';
import { gather } from '../gather.ts';

export type AccessReader = { read(lookup: AccessLookup): Promise<AccessRow | undefined> };

/** One at a time makes the largest batches; the second is for when a connection is slow, so that it does not hold everybody. */
const limits = { batchMax: 256, inFlightMax: 2, patienceMs: 10 };

/**
 * Reads access fresh for every request, many at a time: a revocation committed before a request came is seen by it.
 * Rejects when there is no answer in time.
 */
export function createAccessReader(pool: Pool, { timeoutMs }: { timeoutMs: number }): AccessReader {
  const read = gather<AccessLookup, AccessRow | undefined>({
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
