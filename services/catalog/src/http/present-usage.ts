import type { OrganisationDetail } from '@bv/contract';
import type { OrgUsageRows } from '../db/usage.ts';
import { getCurrentAllowance } from '../domain/allowance.ts';
import type { Limits } from '../domain/plan.ts';

/** `manual_scans` and `scan_credits` are null until the first allowance event arrives from scans. */
export function presentUsage(limits: Limits, used: OrgUsageRows, now: Date): OrganisationDetail['usage'] {
  const { prompts, ownBrands, maxCompetitors, allowance } = used;
  const codes = [...prompts.countries.keys()].sort();
  return {
    prompts: { used: prompts.prompts, limit: limits.prompts },
    own_brands: { used: ownBrands, limit: limits.own_brands },
    countries: { used: codes.length, limit: limits.countries, codes },
    competitors_per_brand: { limit: limits.competitors_per_brand, max_used: maxCompetitors },
    manual_scans: allowance ? getCurrentAllowance(allowance, limits.manual_scans, now) : null,
    scan_credits: allowance?.scan_credits ?? null,
  };
}
