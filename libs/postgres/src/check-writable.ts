import type { Pool } from 'pg';
import { ReadOnlySessionError } from './availability.ts';
import { withConnection } from './checkout.ts';
import { requireWritable } from './session.ts';

/**
 * Throws unless the database accepts writes: `select 1` succeeds on a standby and on a demoted primary too. A connection
 * opened before a failover says nothing about the server that new ones reach, so a new one is tried as well.
 */
export async function checkWritable(pool: Pool): Promise<void> {
  try {
    await withConnection(pool, requireWritable);
  } catch (error) {
    if (!(error instanceof ReadOnlySessionError)) throw error;
    await withConnection(pool, requireWritable);
  }
}
