/** Manual scans and credits as last heard from scans. */
export type Allowance = {
  used: number;
  limit: number | null;
  remaining: number | null;
  resets_at: string;
};

/** First instant of the UTC month after `now`. */
function nextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}

/** The allowance as it stands at `now`: once its month is over, nothing of the new one has been used. */
export function allowanceAt({ used, limit, remaining, resets_at }: Allowance, now: Date): Allowance {
  if (Date.parse(resets_at) > now.getTime()) return { used, limit, remaining, resets_at };
  return { used: 0, limit, remaining: limit, resets_at: nextMonth(now) };
}
