import { execute, many, type Queryable, type Transaction } from '@bv/postgres';
import type { EvaluatedThreshold, ThresholdKey, ThresholdState } from '../domain/thresholds.ts';

type Evaluation = { brandId: string; changeToken: string; at: Date };
type Row = Omit<ThresholdState, 'country'> & { country: string };

const toRow = <K extends ThresholdKey>(key: K): K & { country: string } => ({
  ...key,
  country: key.country ?? '',
});

/**
 * Locks the states of these thresholds until the transaction ends, and inserts the missing ones. The order of the keys
 * prevents deadlocks between scans of one brand. `updated_at` is indexed, so it is written at most once a day.
 */
export async function lockThresholdStates(
  tx: Transaction,
  keys: readonly ThresholdKey[],
  { brandId, changeToken, at }: Evaluation,
): Promise<ThresholdState[]> {
  const rows = await many<Row>(tx, {
    name: 'webhooks.lock_threshold_states',
    text: `insert into threshold_states as t (partner_id, brand_id, metric, country, threshold, updated_at)
      select k."partnerId", $2, k.metric, k.country, k.threshold, $4
      from jsonb_to_recordset($1::jsonb)
        as k("partnerId" uuid, metric text, country text, threshold double precision)
      order by k."partnerId", k.metric, k.country, k.threshold
      on conflict on constraint threshold_states_pkey do update set updated_at =
        case when t.updated_at < excluded.updated_at - interval '1 day' then excluded.updated_at else t.updated_at end
      returning t.partner_id as "partnerId", t.metric, t.country, t.threshold, t.value, t.run_date as "runDate",
        coalesce(t.change_token >= $3, false) as "isSuperseded"`,
    values: [JSON.stringify(keys.map(toRow)), brandId, changeToken, at],
  });
  return rows.map((row) => ({ ...row, country: row.country === '' ? null : row.country }));
}

/** Stores evaluated values. The caller holds the row locks. */
export async function updateThresholdStates(
  tx: Transaction,
  evaluated: readonly EvaluatedThreshold[],
  { brandId, changeToken }: Evaluation,
): Promise<void> {
  await execute(tx, {
    name: 'webhooks.update_threshold_states',
    text: `update threshold_states t set value = n.value, run_date = n."runDate", change_token = $3
      from jsonb_to_recordset($1::jsonb) as n("partnerId" uuid, metric text, country text,
        threshold double precision, value double precision, "runDate" date)
      where t.partner_id = n."partnerId" and t.brand_id = $2 and t.metric = n.metric
        and t.country = n.country and t.threshold = n.threshold`,
    values: [JSON.stringify(evaluated.map(toRow)), brandId, changeToken],
  });
}

/**
 * Condition: a subscription of the partner covers the state `t` of the brand `b`. An inactive link, partner or endpoint
 * does not matter: evaluation continues from this side when it is active again.
 */
const isSubscribed = `(b.id is not null and exists (
    select from endpoints e join subscriptions s on s.endpoint_id = e.id
    where e.partner_id = t.partner_id and e.deleted_at is null
      and s.event_type = t.metric || '.threshold_crossed' and s.threshold = t.threshold
      and coalesce(s.country, '') = t.country
      and (s.brand_id is null or s.brand_id = t.brand_id)
      and (s.org_id is null or s.org_id = b.org_id))
  and not exists (select from orgs o where o.id = b.org_id and o.deleted_at is not null))`;

const statesBefore =
  'from threshold_states t left join brands b on b.id = t.brand_id where t.updated_at < $1';

/** Sets `updated_at` of at most `limit` older states that a subscription covers. */
export async function touchSubscribedThresholdStates(
  db: Queryable,
  { before, at, limit }: { before: Date; at: Date; limit: number },
): Promise<number> {
  return execute(db, {
    name: 'webhooks.touch_subscribed_threshold_states',
    text: `update threshold_states set updated_at = $2 where ctid = any (array(
      select t.ctid ${statesBefore} and ${isSubscribed}
      order by t.updated_at limit $3 for update of t skip locked))`,
    values: [before, at, limit],
  });
}

/** Deletes at most `limit` older states that no subscription covers, or whose organisation is deleted. */
export async function deleteUnsubscribedThresholdStates(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  return execute(db, {
    name: 'webhooks.delete_unsubscribed_threshold_states',
    text: `delete from threshold_states where ctid = any (array(
      select t.ctid ${statesBefore} and not ${isSubscribed}
      order by t.updated_at limit $2 for update of t skip locked))`,
    values: [before, limit],
  });
}
