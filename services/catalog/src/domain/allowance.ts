/** The last usage of manual scans that scans reported. */
type ReportedUsage = { used: number; resets_at: string };

type Allowance = ReportedUsage & { limit: number | null; remaining: number | null };

/** First instant of the UTC month after `now`. */
function nextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}

/**
 * The allowance at `now`. After `resets_at` the usage is 0. `limit` is that of the plan in this service, because
 * scans learns of a plan change later.
 */
export function getCurrentAllowance(reported: ReportedUsage, limit: number | null, now: Date): Allowance {
  const current = Date.parse(reported.resets_at) > now.getTime();
  const used = current ? reported.used : 0;
  const remaining = limit === null ? null : Math.max(0, limit - used);
  return { used, limit, remaining, resets_at: current ? reported.resets_at : nextMonth(now) };
}
