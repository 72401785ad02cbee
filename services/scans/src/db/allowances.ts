import { execute, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import type { Charged } from '../domain/charge.ts';

export type AllowanceRow = {
  org_id: string;
  month: string;
  used: number;
  credits: number;
};

const columns = 'org_id, month, used, credits';

/** Undefined before the first scan and the first credit of the organisation. */
export function findAllowance(db: Queryable, orgId: string): Promise<AllowanceRow | undefined> {
  return maybeOne<AllowanceRow>(db, {
    name: 'scans.find_allowance',
    text: `select ${columns} from org_allowances where org_id = $1`,
    values: [orgId],
  });
}

/** Locks the organisation's row until the transaction ends. Creates it or starts a new month if necessary. */
export function lockAllowance(tx: Transaction, orgId: string, month: string): Promise<AllowanceRow> {
  return one<AllowanceRow>(tx, {
    name: 'scans.lock_allowance',
    text: `insert into org_allowances (org_id, month) values ($1, $2)
           on conflict (org_id) do update set
             used = case when org_allowances.month < excluded.month then 0 else org_allowances.used end,
             month = greatest(org_allowances.month, excluded.month)
           returning ${columns}`,
    values: [orgId, month],
  });
}

/** Charges one scan to the allowance or to a credit. */
export function updateAllowanceCharged(
  db: Queryable,
  orgId: string,
  charged: Charged,
): Promise<AllowanceRow> {
  return one<AllowanceRow>(db, {
    name: 'scans.update_allowance_charged',
    text: `update org_allowances set
             used = used + ($2 = 'allowance')::int, credits = credits - ($2 = 'credit')::int
           where org_id = $1 returning ${columns}`,
    values: [orgId, charged],
  });
}

/** Refunds one scan. An allowance of a past month is not refunded: its counter has been reset. */
export function updateAllowanceRefunded(
  db: Queryable,
  orgId: string,
  { charged, month }: { charged: Charged; month: string | null },
): Promise<number> {
  return execute(db, {
    name: 'scans.update_allowance_refunded',
    text: `update org_allowances set
             used = greatest(0, used - ($2 = 'allowance' and month = $3::date)::int),
             credits = credits + ($2 = 'credit')::int
           where org_id = $1`,
    values: [orgId, charged, month],
  });
}

export function updateAllowanceCredits(db: Queryable, orgId: string, amount: number): Promise<AllowanceRow> {
  return one<AllowanceRow>(db, {
    name: 'scans.update_allowance_credits',
    text: `update org_allowances set credits = credits + $2
           where org_id = $1 returning ${columns}`,
    values: [orgId, amount],
  });
}
