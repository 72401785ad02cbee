import { ApiError } from '@bv/contract';
import type { ErrorCode, Operation } from '@bv/contract';
import { failpoint } from '@bv/lifecycle';
import { transaction } from '@bv/postgres';
import type { Pool, Transaction, TransactionOptions } from '@bv/postgres';
import type { Caller } from './caller.ts';
import { reserveOperation, findOperation, recordOperation } from './processed-operations.ts';
import type { RecordedResponse } from './processed-operations.ts';
import type { Result } from './route.ts';

/** Internal response header: the response was recorded by an earlier attempt with the same operation id. */
export const replayedHeader = 'x-bv-replayed';

/** Callers of requests that got a recorded response, whatever their handler returns. */
const replays = new WeakSet<Caller>();
export const isReplay = (caller: Caller | undefined): boolean => caller !== undefined && replays.has(caller);

type RecordedRefusal = { code: ErrorCode; message: string; details?: unknown; retryAfterSeconds?: number };

/**
 * Runs a write exactly once for an operation id. The response is recorded in the transaction of the work. A retry gets the
 * recorded response, also while the first attempt runs. `fn` throws to roll back and refuse. It returns an ApiError to
 * commit and refuse.
 */
export async function runOnce<O extends Operation, const R extends Result<O>>(
  pool: Pool,
  caller: Caller,
  operation: O,
  fn: (tx: Transaction) => Promise<R | ApiError>,
  options?: TransactionOptions,
): Promise<Result<O>> {
  const { operationId } = caller;
  const work = async (tx: Transaction): Promise<Result<O> | ApiError> => {
    if (operationId === null) return fn(tx);
    const claimed = await reserveOperation(tx, caller, operationId);
    if (!claimed) {
      replays.add(caller);
      return readRecordedResponse<O>(tx, operationId, caller.operation);
    }
    const outcome = await fn(tx);
    await recordOperation(tx, caller, toRecord(outcome, operation));
    failpoint('operation.recorded');
    return outcome;
  };
  const result = await transaction(pool, work, options);
  failpoint('operation.committed');
  if (result instanceof ApiError) throw result;
  return result;
}

function toRecord<O extends Operation>(result: Result<O> | ApiError, operation: O): RecordedResponse {
  if (!(result instanceof ApiError)) return { status: operation.success.status, body: result };
  const { status, code, message, details, retryAfterSeconds } = result;
  return { status, body: { code, message, details, retryAfterSeconds } };
}

async function readRecordedResponse<O extends Operation>(
  tx: Transaction,
  operationId: string,
  operation: string,
): Promise<Result<O> | ApiError> {
  const recorded = await findOperation(tx, operationId);
  if (recorded?.operation !== operation) {
    throw new Error(
      `operation id ${operationId} of ${operation} belongs to ${recorded?.operation ?? 'no recorded response'}`,
    );
  }
  if (recorded.status < 400) return recorded.body as Result<O>;
  const { code, ...refusal } = recorded.body as RecordedRefusal;
  return new ApiError(code, refusal);
}
