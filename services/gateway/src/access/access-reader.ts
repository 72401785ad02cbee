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
/** With more at a time each would carry one or two lookups, and cost nearly as much as one that carries twenty. */
const inFlightMax = 2;

/**
 * Reads access fresh for every request; lookups that come in one event-loop tick, or while enough queries are under
 * way, go out as one. A lookup never joins a query that has been sent: a revocation committed in between would be
 * missed.
 */
export function createAccessReader(pool: Pool): AccessReader {
  let waiting: Waiting[] = [];
  let inFlight = 0;
  const send = (): void => {
    while (waiting.length > 0 && inFlight < inFlightMax) {
      inFlight += 1;
      void answer(pool, waiting.splice(0, batchMax)).finally(() => {
        inFlight -= 1;
        send();
      });
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
