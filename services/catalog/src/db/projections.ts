import { execute, maybeOne, type Queryable, type Transaction } from '@bv/postgres';

export type ScanAllowanceRow = {
  used: number;
  limit: number | null;
  remaining: number | null;
  resets_at: string;
  scan_credits: number;
};

export function findScanAllowance(db: Queryable, orgId: string): Promise<ScanAllowanceRow | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_scan_allowance',
    text: `select used, "limit", remaining, resets_at, scan_credits from scan_allowances where org_id = $1`,
    values: [orgId],
  });
}

/** Ignores a version that is not newer than the stored one. */
export async function upsertScanAllowance(
  tx: Transaction,
  allowance: ScanAllowanceRow & { org_id: string },
  version: number,
): Promise<void> {
  await execute(tx, {
    name: 'catalog.upsert_scan_allowance',
    text: `insert into scan_allowances as stored
             (org_id, used, "limit", remaining, resets_at, scan_credits, version)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (org_id) do update
           set used = excluded.used, "limit" = excluded."limit", remaining = excluded.remaining,
               resets_at = excluded.resets_at, scan_credits = excluded.scan_credits, version = excluded.version
           where stored.version < excluded.version`,
    values: [
      allowance.org_id,
      allowance.used,
      allowance.limit,
      allowance.remaining,
      allowance.resets_at,
      allowance.scan_credits,
      version,
    ],
  });
}

/** The change token of a brand; undefined before its first result. */
export async function findBrandChange(db: Queryable, brandId: string): Promise<string | undefined> {
  const row = await maybeOne<{ changed_at: string }>(db, {
    name: 'catalog.find_brand_change',
    text: 'select changed_at from brand_changes where brand_id = $1',
    values: [brandId],
  });
  return row?.changed_at;
}

/** Ignores a version that is not newer than the stored one. */
export async function upsertBrandChange(
  tx: Transaction,
  change: { brand_id: string; changed_at: string },
  version: number,
): Promise<void> {
  await execute(tx, {
    name: 'catalog.upsert_brand_change',
    text: `insert into brand_changes as stored (brand_id, changed_at, version) values ($1, $2, $3)
           on conflict (brand_id) do update set changed_at = excluded.changed_at, version = excluded.version
           where stored.version < excluded.version`,
    values: [change.brand_id, change.changed_at, version],
  });
}
