import type { OrganisationDetail } from '@bv/contract';
import type { OrgUsageRows } from '../db/usage.ts';
import { allowanceAt } from '../domain/allowance.ts';
import type { Limits } from '../domain/plan.ts';

/** What is used of manual scans, and credits, are null until scans has said what they are. */
export function presentUsage(limits: Limits, used: OrgUsageRows, now: Date): OrganisationDetail['usage'] {
  const { prompts, ownBrands, maxCompetitors, allowance } = used;
  const codes = [...prompts.countries.keys()].sort();
  return {
    prompts: { used: prompts.prompts, limit: limits.prompts },
    own_brands: { used: ownBrands, limit: limits.own_brands },
    countries: { used: codes.length, limit: limits.countries, codes },
    competitors_per_brand: { limit: limits.competitors_per_brand, max_used: maxCompetitors },
    manual_scans: allowance ? allowanceAt(allowance, limits.manual_scans, now) : null,
    scan_credits: allowance?.scan_credits ?? null,
  };
}
