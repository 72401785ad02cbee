import { execute, one } from '@bv/postgres';
import type { Queryable } from '@bv/postgres';

export type LeaseClaim = { keyId: string; month: number; quota: number; block: number };

/**
 * Hands out the next block of the month's quota; 0 when nothing is left. Near the end the blocks shrink to single
 * requests. The row lock makes the sum of all grants never exceed the quota.
 */
export async function claimQuotaBlock(db: Queryable, claim: LeaseClaim): Promise<number> {
  const grant = (leased: string): string =>
    `greatest(0, least($3::bigint - ${leased}, greatest(1, least($4::bigint, ($3::bigint - ${leased}) / 10))))`;
  const { granted } = await one<{ granted: number }>(db, {
    name: 'claim-quota-block',
    text: `insert into quota_leases as q (key_id, month, leased, granted)
           values ($1, $2, ${grant('0')}, ${grant('0')})
           on conflict (key_id, month) do update
             set leased = q.leased + ${grant('q.leased')}, granted = ${grant('q.leased')}
           returning granted`,
    values: [claim.keyId, claim.month, claim.quota, claim.block],
  });
  return granted;
}

export type UsedDelta = { keyId: string; month: number; delta: number };

/** In key order, so that two gateways never wait for each other's rows crosswise. */
export async function upsertUsed(db: Queryable, deltas: readonly UsedDelta[]): Promise<void> {
  const ordered = deltas.toSorted((a, b) =>
    a.keyId < b.keyId ? -1 : a.keyId > b.keyId ? 1 : a.month - b.month,
  );
  await execute(db, {
    name: 'upsert-used',
    text: `insert into quota_leases as q (key_id, month, used)
           select key_id, month, delta
             from unnest($1::uuid[], $2::int[], $3::bigint[]) as d (key_id, month, delta)
           on conflict (key_id, month) do update set used = q.used + excluded.used`,
    values: [
      ordered.map(({ keyId }) => keyId),
      ordered.map(({ month }) => month),
      ordered.map(({ delta }) => delta),
    ],
  });
}
