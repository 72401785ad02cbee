import { type Caller, findOperation } from '@bv/http';
import type { Pool } from '@bv/postgres';

/** Whether the answer of this write is recorded: a retry then gets it, and nothing is tried again. */
export async function isAnswered(pool: Pool, { operationId }: Caller): Promise<boolean> {
  return operationId !== null && (await findOperation(pool, operationId)) !== undefined;
}
