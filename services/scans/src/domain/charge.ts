export type Charged = 'allowance' | 'credit' | 'none';

type Allowance = { used: number; credits: number };

/** In a new month nothing is used, before a scan has changed the row. */
export function currentAllowance(row: (Allowance & { month: string }) | undefined, month: string): Allowance {
  return { used: row !== undefined && row.month >= month ? row.used : 0, credits: row?.credits ?? 0 };
}

/** Manual scans that remain this month; null is unlimited, and never negative. */
export function remainingScans(used: number, limit: number | null): number | null {
  return limit === null ? null : Math.max(0, limit - used);
}

/** What a manual scan is charged to: the month's allowance, then credits; null if both are used up. */
export function chooseCharge({ used, credits }: Allowance, limit: number | null): Charged | null {
  if (limit === null) return 'none';
  if (used < limit) return 'allowance';
  return credits > 0 ? 'credit' : null;
}
