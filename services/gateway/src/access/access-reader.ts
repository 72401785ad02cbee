import type { Pool } from '@bv/postgres';
import { listAccess } from '../db/list-access.ts';
import type { AccessLookup } from '../db/list-access.ts';
import type { AccessRow } from '../domain/access.ts';

export type AccessReader = { read(lookup: AccessLookup): Promise<AccessRow | undefined> };

type Waiting = AccessLookup & {
  resolve: (row: AccessRow | undefined) => void;
  reject: (error: unknown) => void;
};

const batchMax = 256;

/**
 * Reads access fresh for every request; the lookups of one event-loop tick go out as one query. A lookup never
 * joins a query that is under way: a revocation committed in between would be missed.
 */
export function createAccessReader(pool: Pool): AccessReader {
  let waiting: Waiting[] = [];
  const send = (): void => {
    const collected = waiting;
    waiting = [];
    for (let start = 0; start < collected.length; start += batchMax) {
      void answer(pool, collected.slice(start, start + batchMax));
    }
  };
  return {
    read: (lookup) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(send);
        waiting.push({ ...lookup, resolve, reject });
      }),
  };
}

async function answer(pool: Pool, batch: readonly Waiting[]): Promise<void> {
  try {
    const rows = await listAccess(pool, batch);
    const byLookup = new Map(rows.map((row) => [row.lookup, row]));
    for (const [index, { resolve }] of batch.entries()) resolve(byLookup.get(index));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
