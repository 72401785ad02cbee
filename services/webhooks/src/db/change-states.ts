import { execute, many, type Queryable, type Transaction } from '@bv/postgres';
import type { ChangeKey } from '../domain/score-changes.ts';

type Row = Omit<ChangeKey, 'country'> & { country: string };
type Found = { brandId: string; runDate: string; at: Date };

/**
 * Stores the changes of which the endpoints are notified, and returns them. A change is omitted if its windows may contain
 * the same step as those of the last one: its `runDate` must be 2 * window_days - 1 days later, so that window a begins
 * on the last day of that window b. The row locks make this exact: a concurrent transaction waits for the row and
 * compares with what is stored then. The order of the keys prevents deadlocks.
 */
export async function upsertChangeStates(
  tx: Transaction,
  keys: readonly ChangeKey[],
  { brandId, runDate, at }: Found,
): Promise<ChangeKey[]> {
  const rows = await many<Row>(tx, {
    name: 'webhooks.upsert_change_states',
    text: `insert into change_states as t
        (endpoint_id, brand_id, metric, country, window_days, run_date, updated_at)
      select k."endpointId", $2, k.metric, coalesce(k.country, ''), k."windowDays", $3, $4
      from jsonb_to_recordset($1::jsonb)
        as k("endpointId" uuid, metric text, country text, "windowDays" integer)
      order by k."endpointId", k.metric, k.country, k."windowDays"
      on conflict on constraint change_states_pkey do update
        set run_date = excluded.run_date, updated_at = excluded.updated_at
        where t.run_date <= excluded.run_date - (2 * t.window_days - 1)
      returning t.endpoint_id as "endpointId", t.metric, t.country, t.window_days as "windowDays"`,
    values: [JSON.stringify(keys), brandId, runDate, at],
  });
  return rows.map((row) => ({ ...row, country: row.country === '' ? null : row.country }));
}

/** Deletes at most `limit` states whose endpoint was last notified before this time. */
export async function deleteOldChangeStates(db: Queryable, before: Date, limit: number): Promise<number> {
  return execute(db, {
    name: 'webhooks.delete_old_change_states',
    text: `delete from change_states where ctid = any (array(
      select ctid from change_states where updated_at < $1
      order by updated_at limit $2 for update skip locked))`,
    values: [before, limit],
  });
}
