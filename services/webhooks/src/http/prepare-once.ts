import type { Operation } from '@bv/contract';
import { type Caller, findOperation, type Result, runOnce } from '@bv/http';
import type { Pool, Transaction } from '@bv/postgres';

/**
 * `runOnce` for work that needs answers from outside first, which no transaction should wait for. What was already
 * done is not judged again: a retry gets its answer although the host or the link has changed by now.
 */
export async function prepareAndRunOnce<O extends Operation, Prepared>(
  pool: Pool,
  caller: Caller,
  operation: O,
  steps: {
    prepare: () => Promise<Prepared>;
    work: (tx: Transaction, prepared: Prepared) => Promise<Result<O>>;
  },
): Promise<Result<O>> {
  const { operationId } = caller;
  const done = operationId !== null && (await findOperation(pool, operationId)) !== undefined;
  const prepared = done ? null : { value: await steps.prepare() };
  return runOnce(pool, caller, operation, (tx) => {
    if (prepared === null) throw new Error(`the answer of operation ${operationId} is gone`);
    return steps.work(tx, prepared.value);
  });
}
