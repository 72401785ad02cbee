import { ApiError } from '@bv/contract';
import type { ErrorCode, Operation } from '@bv/contract';
import { crashPoint } from '@bv/lifecycle';
import { transaction } from '@bv/postgres';
import type { Pool, Transaction, TransactionOptions } from '@bv/postgres';
import type { Caller } from './caller.ts';
import { claimOperation, findOperation, recordOperation } from './processed-operations.ts';
import type { RecordedAnswer } from './processed-operations.ts';
import type { Result } from './route.ts';

/** Internal answer header: what a write is answered with was recorded by an earlier try under its operation id. */
export const replayedHeader = 'x-bv-replayed';

/** Calls that got such an answer, whatever their handler makes of it. */
const replays = new WeakSet<Caller>();
export const isReplay = (caller: Caller | undefined): boolean => caller !== undefined && replays.has(caller);

type RecordedRefusal = { code: ErrorCode; message: string; details?: unknown; retryAfterSeconds?: number };

/**
 * Does a write exactly once for an operation id: the answer is recorded in the transaction of the work, and a retry
 * gets it instead of a second run, also when it comes while the first still works. `fn` throws to refuse and undo;
 * it returns an ApiError to keep what it did and answer with that refusal.
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
    const claimed = await claimOperation(tx, caller, operationId);
    if (!claimed) {
      replays.add(caller);
      return recordedAnswer<O>(tx, operationId, caller.operation);
    }
    const answer = await fn(tx);
    await recordOperation(tx, caller, toRecord(answer, operation));
    crashPoint('operation.recorded');
    return answer;
  };
  const answer = await transaction(pool, work, options);
  crashPoint('operation.committed');
  if (answer instanceof ApiError) throw answer;
  return answer;
}

function toRecord<O extends Operation>(answer: Result<O> | ApiError, operation: O): RecordedAnswer {
  if (!(answer instanceof ApiError)) return { status: operation.success.status, body: answer };
  const { status, code, message, details, retryAfterSeconds } = answer;
  return { status, body: { code, message, details, retryAfterSeconds } };
}

async function recordedAnswer<O extends Operation>(
  tx: Transaction,
  operationId: string,
  operation: string,
): Promise<Result<O> | ApiError> {
  const recorded = await findOperation(tx, operationId);
  if (recorded?.operation !== operation) {
    throw new Error(
      `operation id ${operationId} of ${operation} belongs to ${recorded?.operation ?? 'no answer'}`,
    );
  }
  if (recorded.status < 400) return recorded.body as Result<O>;
  const { code, ...refusal } = recorded.body as RecordedRefusal;
  return new ApiError(code, refusal);
}
