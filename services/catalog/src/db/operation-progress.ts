import { execute, many, one, type Queryable, type Transaction } from '@bv/postgres';

/** One attempt of an operation that takes several transactions. */
export type Progress = { operationId: string; attempt: number; brandId: string | null };

export type Step<Outcome> = { position: number | null; outcome: Outcome };

/**
 * Starts a new attempt. Waits for a step that an older attempt is committing, and rejects its later steps. A purge finds
 * the progress by its brand.
 */
export async function upsertProgress(
  tx: Transaction,
  operationId: string,
  brandId: string | null,
): Promise<Progress> {
  const row = await one<{ attempt: number; brand_id: string | null }>(tx, {
    name: 'catalog.upsert_operation_progress',
    text: `insert into operation_progress as progress (operation_id, brand_id) values ($1, $2)
           on conflict (operation_id) do update set attempt = progress.attempt + 1
           returning attempt, brand_id`,
    values: [operationId, brandId],
  });
  return { operationId, attempt: row.attempt, brandId: row.brand_id };
}

/** Runs in the transaction that started the attempt. */
export async function updateProgressBrand(
  tx: Transaction,
  operationId: string,
  brandId: string,
): Promise<void> {
  await execute(tx, {
    name: 'catalog.update_operation_progress_brand',
    text: 'update operation_progress set brand_id = $2 where operation_id = $1',
    values: [operationId, brandId],
  });
}

/** Steps in the order of recording. */
export function listSteps<Outcome>(db: Queryable, operationId: string): Promise<Step<Outcome>[]> {
  return many(db, {
    name: 'catalog.list_operation_steps',
    text: 'select position, outcome from operation_steps where operation_id = $1 order by ordinal',
    values: [operationId],
  });
}

/** Records steps and returns true. Records nothing and returns false if a newer attempt has started. */
export async function insertSteps(
  db: Queryable,
  { operationId, attempt }: Progress,
  steps: readonly Step<unknown>[],
): Promise<boolean> {
  const inserted = await execute(db, {
    name: 'catalog.insert_operation_steps',
    text: `with live as (
             select operation_id from operation_progress where operation_id = $1 and attempt = $2 for share
           )
           insert into operation_steps (operation_id, position, outcome)
           select live.operation_id, step.position, step.outcome
           from live, unnest($3::integer[], $4::json[]) with ordinality as step (position, outcome, place)
           order by step.place`,
    values: [
      operationId,
      attempt,
      steps.map(({ position }) => position),
      steps.map(({ outcome }) => JSON.stringify(outcome)),
    ],
  });
  return inserted === steps.length;
}

/** Runs in the transaction that records the response. */
export async function deleteProgress(tx: Transaction, operationId: string): Promise<void> {
  await execute(tx, {
    name: 'catalog.delete_operation_progress',
    text: 'delete from operation_progress where operation_id = $1',
    values: [operationId],
  });
}

/** Deletes progress that no client can retry: the gateway keeps an idempotency key for 24 h. */
export function deleteOldProgress(db: Queryable, limit: number): Promise<number> {
  return execute(db, {
    name: 'catalog.delete_old_operation_progress',
    text: `delete from operation_progress where operation_id in (
             select operation_id from operation_progress where created_at < now() - interval '3 days'
             order by created_at limit $1 for update skip locked)`,
    values: [limit],
  });
}
