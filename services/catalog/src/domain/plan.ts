import { maxCompetitorsPerBrand, type Overrides } from '@bv/contract';

/** Limits of a plan; null is unlimited. */
export type Limits = {
  api_access: boolean;
  on_demand_scans: boolean;
  prompts: number | null;
  own_brands: number | null;
  countries: number | null;
  competitors_per_brand: number;
  manual_scans: number | null;
};

/** The plan of one organisation: its tier, and the limits after its overrides. */
export type Plan = { tier: string; limits: Limits };

export function toPlan(org: { tier: string; tier_limits: Limits; overrides: Overrides }): Plan {
  const { overrides } = org;
  const overridden = Object.entries(overrides).filter(([, value]) => value !== undefined);
  const limits = { ...org.tier_limits, ...Object.fromEntries(overridden) };
  const competitors = Math.min(
    limits.competitors_per_brand ?? maxCompetitorsPerBrand,
    maxCompetitorsPerBrand,
  );
  return { tier: org.tier, limits: { ...limits, competitors_per_brand: competitors } };
}

/** The last usage of manual scans that scans reported. */
type ReportedUsage = { used: number; resets_at: string };

type Allowance = ReportedUsage & { limit: number | null; remaining: number | null };

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

/** First instant of the UTC month after `now`. */
function nextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}
