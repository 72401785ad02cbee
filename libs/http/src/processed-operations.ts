import { execute, maybeOne, removeInBatches } from '@bv/postgres';
import type { Pool, Queryable, Transaction } from '@bv/postgres';
import type { Caller } from './caller.ts';

/** The answer of a write: its status and body as they went, or would have gone, onto the wire. */
export type RecordedAnswer = { status: number; body: unknown };

export type ProcessedOperation = RecordedAnswer & { operation: string };

/** The recorded answer of an operation id, if the work under it was done. */
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
 * Records the answer with the work that leads to it. Work of several transactions records after each what is to be
 * answered if it goes no further. Does nothing for a call that carries no operation id.
 */
export async function recordOperation(
  tx: Transaction,
  caller: Caller,
  answer: RecordedAnswer,
): Promise<void> {
  if (caller.operationId === null) return;
  await execute(tx, {
    name: 'http.upsert_processed_operation',
    text: `insert into processed_operations (operation_id, operation, status, body)
      values ($1, $2, $3, $4)
      on conflict (operation_id) do update set status = excluded.status, body = excluded.body`,
    values: [caller.operationId, caller.operation, answer.status, JSON.stringify(answer.body)],
  });
}

/** Whether this transaction is the one to do the work; waits for another that has claimed the id and still runs. */
export async function claimOperation(tx: Transaction, caller: Caller, operationId: string): Promise<boolean> {
  const inserted = await execute(tx, {
    name: 'http.claim_processed_operation',
    text: `insert into processed_operations (operation_id, operation) values ($1, $2)
      on conflict (operation_id) do nothing`,
    values: [operationId, caller.operation],
  });
  return inserted === 1;
}

const pruneBatch = 1_000;
const keptHours = 48;

/**
 * Forgets answers older than the gateway could still ask for (it keeps a key for 24 h), at most a million in a run.
 * Returns how many.
 */
export async function pruneOperations(pool: Pool, stopping: AbortSignal): Promise<number> {
  const prune = (limit: number): Promise<number> =>
    execute(pool, {
      name: 'http.delete_processed_operations',
      text: `delete from processed_operations where operation_id in (
        select operation_id from processed_operations
        where created_at < now() - make_interval(hours => $1::int)
        order by created_at limit $2 for update skip locked)`,
      values: [keptHours, limit],
    });
  return removeInBatches(pruneBatch, prune, stopping);
}
