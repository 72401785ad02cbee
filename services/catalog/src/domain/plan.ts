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
