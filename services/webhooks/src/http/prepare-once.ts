import type { Operation } from '@bv/contract';
import { type Caller, findOperation, type Result, processOnce } from '@bv/http';
import type { Pool, Transaction } from '@bv/postgres';

/**
 * `processOnce` with network calls in `prepare`, before the transaction. A retry of a finished operation skips `prepare`:
 * it gets the recorded response even when the host or the link has changed since.
 */
export async function prepareAndProcessOnce<O extends Operation, Prepared>(
  pool: Pool,
  caller: Caller,
  operation: O,
  steps: {
    prepare: () => Promise<Prepared>;
    work: (tx: Transaction, prepared: Prepared) => Promise<Result<O>>;
  },
): Promise<Result<O>> {
  const { operationId } = caller;
  const isRecorded = operationId !== null && (await findOperation(pool, operationId)) !== undefined;
  const prepared = isRecorded ? null : { value: await steps.prepare() };
  return processOnce(pool, caller, operation, (tx) => {
    if (prepared === null) throw new Error(`the recorded response of operation ${operationId} is missing`);
    return steps.work(tx, prepared.value);
  });
}
