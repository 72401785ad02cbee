import { execute, many, type Queryable, type Transaction } from '@bv/postgres';
import type { Evaluated, ThresholdKey, ThresholdState } from '../domain/thresholds.ts';

type Evaluation = { brandId: string; changeToken: string; at: Date };
type Row = Omit<ThresholdState, 'country'> & { country: string };

const toRow = <K extends ThresholdKey>(key: K): K & { country: string } => ({
  ...key,
  country: key.country ?? '',
});

/**
 * Locks the states of these thresholds until the transaction ends, and creates those that are missing. In order of the
 * key, so that two scans of one brand wait for each other instead of deadlocking.
 */
export async function lockThresholdStates(
  tx: Transaction,
  keys: readonly ThresholdKey[],
  { brandId, changeToken, at }: Evaluation,
): Promise<ThresholdState[]> {
  const rows = await many<Row>(tx, {
    name: 'lock-threshold-states',
    text: `insert into threshold_states as t (partner_id, brand_id, metric, country, threshold, updated_at)
      select k."partnerId", $2, k.metric, k.country, k.threshold, $4
      from jsonb_to_recordset($1::jsonb)
        as k("partnerId" uuid, metric text, country text, threshold double precision)
      order by k."partnerId", k.metric, k.country, k.threshold
      on conflict on constraint threshold_states_pkey do update set updated_at = excluded.updated_at
      returning t.partner_id as "partnerId", t.metric, t.country, t.threshold, t.value, t.run_date as "runDate",
        coalesce(t.change_token >= $3, false) as "isSuperseded"`,
    values: [JSON.stringify(keys.map(toRow)), brandId, changeToken, at],
  });
  return rows.map((row) => ({ ...row, country: row.country === '' ? null : row.country }));
}

/** Stores what was evaluated; the caller holds the locks. */
export async function updateThresholdStates(
  tx: Transaction,
  evaluated: readonly Evaluated[],
  { brandId, changeToken }: Evaluation,
): Promise<void> {
  await execute(tx, {
    name: 'update-threshold-states',
    text: `update threshold_states t set value = n.value, run_date = n."runDate", change_token = $3
      from jsonb_to_recordset($1::jsonb) as n("partnerId" uuid, metric text, country text,
        threshold double precision, value double precision, "runDate" date)
      where t.partner_id = n."partnerId" and t.brand_id = $2 and t.metric = n.metric
        and t.country = n.country and t.threshold = n.threshold`,
    values: [JSON.stringify(evaluated.map(toRow)), brandId, changeToken],
  });
}

/** States that no scan has reached since then: without a subscription, a link, or scans of the brand. */
export async function deleteIdleThresholdStates(db: Queryable, before: Date, limit: number): Promise<number> {
  return execute(db, {
    name: 'delete-idle-threshold-states',
    text: `delete from threshold_states where ctid = any (array(
      select ctid from threshold_states where updated_at < $1
      order by updated_at limit $2 for update skip locked))`,
    values: [before, limit],
  });
}
