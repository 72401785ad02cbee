import { execute, one } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';

export type QuotaBlockRequest = {
  keyId: string;
  month: number;
  quota: number;
  /** Maximum of units to grant in addition to `demand`. */
  block: number;
  /** Number of requests that wait for a unit. */
  demand: number;
};

/**
 * Grants units of a monthly quota: one for every waiting request and a block, which shrinks to zero near the end of the
 * quota. Returns 0 when the quota is used up. The row lock keeps the sum of all grants within the quota.
 */
export async function leaseQuotaBlock(db: Queryable, request: QuotaBlockRequest): Promise<number> {
  const { granted } = await one<{ granted: number }>(db, {
    name: 'gateway.lease_quota_block',
    text: `insert into quota_leases as q (key_id, month, leased, granted)
           values ($1, $2, ${grantSql('0')}, ${grantSql('0')})
           on conflict (key_id, month) do update
             set leased = q.leased + ${grantSql('q.leased')}, granted = ${grantSql('q.leased')}
           returning granted`,
    values: [request.keyId, request.month, request.quota, request.block, request.demand],
  });
  return granted;
}

/** min(left, demand + min(block, (left - demand) / 10)), never below zero. */
function grantSql(leased: string): string {
  const left = `($3::bigint - ${leased})`;
  const spare = `greatest(0, least($4::bigint, (${left} - $5::bigint) / 10))`;
  return `greatest(0, least(${left}, $5::bigint + ${spare}))`;
}

export type UsedDelta = { keyId: string; month: number; delta: number };

/**
 * A key may occur more than once; deltas of deleted keys are dropped. Rows are locked in key order, so that two gateways
 * cannot deadlock.
 */
export async function upsertUsed(db: Queryable, deltas: readonly UsedDelta[]): Promise<void> {
  await execute(db, {
    name: 'gateway.upsert_used',
    text: `insert into quota_leases as q (key_id, month, used)
           select key_id, month, sum(delta)
             from unnest($1::uuid[], $2::int[], $3::bigint[]) as d (key_id, month, delta)
            where exists (select from api_keys k where k.id = d.key_id)
            group by key_id, month
            order by key_id, month
           on conflict (key_id, month) do update set used = q.used + excluded.used`,
    values: [
      deltas.map(({ keyId }) => keyId),
      deltas.map(({ month }) => month),
      deltas.map(({ delta }) => delta),
    ],
  });
}
