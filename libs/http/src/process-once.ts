import { ApiError } from '@bv/contract';
import type { ErrorCode, Operation } from '@bv/contract';
import { failpoint } from '@bv/lifecycle';
import { execute, maybeOne, removeInBatches, transaction } from '@bv/postgres';
import type { Pool, Queryable, Transaction, TransactionOptions } from '@bv/postgres';
import type { Caller } from './caller.ts';
import type { Result } from './route.ts';

/** Internal response header: the response was recorded by an earlier attempt with the same operation id. */
export const replayedHeader = 'x-bv-replayed';

/** A refusal that was recorded by an earlier attempt with the same operation id. */
export class ReplayedRefusal extends ApiError {
  override readonly name = 'ReplayedRefusal';
}

type RecordedRefusal = { code: ErrorCode; message: string; details?: unknown; retryAfterSeconds?: number };

/**
 * Runs a write exactly once for an operation id. The response is recorded in the transaction of the work. A retry gets the
 * recorded response, also while the first attempt runs: a result with `replayed`, or a thrown `ReplayedRefusal`. `fn`
 * throws to roll back and refuse. It returns an ApiError to commit and refuse.
 */
export async function processOnce<O extends Operation, const R extends Result<O>>(
  pool: Pool,
  caller: Caller,
  operation: O,
  fn: (tx: Transaction) => Promise<R | ApiError>,
  options?: TransactionOptions,
): Promise<Result<O>> {
  const { operationId } = caller;
  const work = async (tx: Transaction): Promise<Result<O> | ApiError> => {
    if (operationId === null) return fn(tx);
    const isFirst = await reserveOperation(tx, caller, operationId);
    if (!isFirst) return readRecordedResponse<O>(tx, operationId, caller.operation);
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
): Promise<Result<O> | ReplayedRefusal> {
  const recorded = await findOperation(tx, operationId);
  if (recorded?.operation !== operation) {
    throw new Error(
      `operation id ${operationId} of ${operation} belongs to ${recorded?.operation ?? 'no recorded response'}`,
    );
  }
  if (recorded.status < 400) return { ...(recorded.body as Result<O>), replayed: true };
  const { code, ...refusal } = recorded.body as RecordedRefusal;
  return new ReplayedRefusal(code, refusal);
}

/** The response of a write: status and body as they were or would have been sent. */
export type RecordedResponse = { status: number; body: unknown };

export type ProcessedOperation = RecordedResponse & { operation: string };

/** The recorded response of an operation id; undefined if its work is not done. */
export async function findOperation(
  db: Queryable,
  operationId: string,
): Promise<ProcessedOperation | undefined> {
  return maybeOne<ProcessedOperation>(db, {
    name: 'http.find_processed_operation',
    text: 'select operation, status, body from processed_operations where operation_id = $1 and status is not null',
    values: [operationId],
  });
}

/**
 * Records the response in the transaction of its work. Work of several transactions records after each one the response
 * for the case that it stops there. Does nothing for a call without an operation id.
 */
export async function recordOperation(
  tx: Transaction,
  caller: Caller,
  response: RecordedResponse,
): Promise<void> {
  if (caller.operationId === null) return;
  await execute(tx, {
    name: 'http.upsert_processed_operation',
    text: `insert into processed_operations (operation_id, operation, status, body, org_id)
      values ($1, $2, $3, $4, $5)
      on conflict (operation_id) do update set status = excluded.status, body = excluded.body`,
    values: [
      caller.operationId,
      caller.operation,
      response.status,
      JSON.stringify(response.body),
      caller.orgId,
    ],
  });
}

/** Whether this transaction does the work. Waits for a running transaction with the same operation id. */
async function reserveOperation(tx: Transaction, caller: Caller, operationId: string): Promise<boolean> {
  const inserted = await execute(tx, {
    name: 'http.reserve_operation',
    text: `insert into processed_operations (operation_id, operation, org_id) values ($1, $2, $3)
      on conflict (operation_id) do nothing`,
    values: [operationId, caller.operation, caller.orgId],
  });
  return inserted === 1;
}

const retentionHours = 48;

/**
 * Deletes responses that no retry can request: the gateway keeps an idempotency key for 24 hours.
 * Returns the number of deleted rows.
 */
export async function pruneOperations(pool: Pool, stopping: AbortSignal): Promise<number> {
  const prune = (limit: number): Promise<number> =>
    execute(pool, {
      name: 'http.delete_processed_operations',
      text: `delete from processed_operations where operation_id in (
        select operation_id from processed_operations
        where created_at < now() - make_interval(hours => $1::int)
        order by created_at limit $2 for update skip locked)`,
      values: [retentionHours, limit],
    });
  return (await removeInBatches(prune, stopping)).removed;
}
