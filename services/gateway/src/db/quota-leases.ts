import { execute, one } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';

export type LeaseClaim = {
  keyId: string;
  month: number;
  quota: number;
  /** Most to hand out beyond what is wanted at once. */
  block: number;
  /** Requests that wait for a unit. */
  demand: number;
};

/**
 * Hands out units of the month's quota: one for every waiting request, and a block that shrinks to nothing near
 * the end; 0 when nothing is left. The row lock makes the sum of all grants never exceed the quota.
 */
export async function claimQuotaBlock(db: Queryable, claim: LeaseClaim): Promise<number> {
  const { granted } = await one<{ granted: number }>(db, {
    name: 'gateway.claim_quota_block',
    text: `insert into quota_leases as q (key_id, month, leased, granted)
           values ($1, $2, ${grantOf('0')}, ${grantOf('0')})
           on conflict (key_id, month) do update
             set leased = q.leased + ${grantOf('q.leased')}, granted = ${grantOf('q.leased')}
           returning granted`,
    values: [claim.keyId, claim.month, claim.quota, claim.block, claim.demand],
  });
  return granted;
}

/** min(left, demand + min(block, (left - demand) / 10)), never below zero. */
function grantOf(leased: string): string {
  const left = `($3::bigint - ${leased})`;
  const spare = `greatest(0, least($4::bigint, (${left} - $5::bigint) / 10))`;
  return `greatest(0, least(${left}, $5::bigint + ${spare}))`;
}

export type UsedDelta = { keyId: string; month: number; delta: number };

/** A key may be there more than once. In key order, so that two gateways never wait for each other's rows crosswise. */
export async function upsertUsed(db: Queryable, deltas: readonly UsedDelta[]): Promise<void> {
  await execute(db, {
    name: 'gateway.upsert_used',
    text: `insert into quota_leases as q (key_id, month, used)
           select key_id, month, sum(delta)
             from unnest($1::uuid[], $2::int[], $3::bigint[]) as d (key_id, month, delta)
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
