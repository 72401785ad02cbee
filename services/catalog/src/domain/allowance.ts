/** What scans last said of an organisation's manual scans. */
type Used = { used: number; resets_at: string };

type Allowance = Used & { limit: number | null; remaining: number | null };

/** First instant of the UTC month after `now`. */
function nextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}

/**
 * The allowance as it stands at `now`: once its month is over, nothing of the new one has been used. The limit is the
 * plan's own, which scans only hear of afterwards.
 */
export function allowanceAt(said: Used, limit: number | null, now: Date): Allowance {
  const current = Date.parse(said.resets_at) > now.getTime();
  const used = current ? said.used : 0;
  const remaining = limit === null ? null : Math.max(0, limit - used);
  return { used, limit, remaining, resets_at: current ? said.resets_at : nextMonth(now) };
}
