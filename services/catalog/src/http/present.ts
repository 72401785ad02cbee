import type { Brand, BrandDetail, LinkedCompetitor, OperatorOrg, Prompt } from '@bv/contract';
import type { BrandRow } from '../db/brands.ts';
import type { CompetitorRow } from '../db/competitors.ts';
import type { OrgRow } from '../db/orgs.ts';
import type { PromptRow } from '../db/prompts.ts';

export function presentBrand({
  org_id: _,
  aliases: __,
  match: ___,
  version: ____,
  ...brand
}: BrandRow): Brand {
  return brand;
}

/** How a brand is recognised in answers. */
function presentIdentity({ aliases, match }: Pick<BrandRow, 'aliases' | 'match'>) {
  return { aliases, match, warnings: [] };
}

export function presentLinkedCompetitor(brand: BrandRow, reused: boolean): LinkedCompetitor {
  return { ...presentBrand(brand), ...presentIdentity(brand), reused };
}

export function presentBrandDetail(
  brand: BrandRow,
  competitors: readonly CompetitorRow[],
  changedAt: string | undefined,
): BrandDetail {
  return {
    ...presentBrand(brand),
    last_scan_changed_at: changedAt ?? null,
    ...presentIdentity(brand),
    competitors: competitors.map((competitor) => ({
      id: competitor.id,
      name: competitor.name,
      domain: competitor.domain,
      ...presentIdentity(competitor),
    })),
  };
}

export function presentPrompt({ org_id: _, version: __, ...prompt }: PromptRow): Prompt {
  return prompt;
}

export function presentOperatorOrg(org: OrgRow): OperatorOrg {
  const { id, name, tier, overrides, created_at, updated_at } = org;
  return { id, name, tier, overrides, created_at, updated_at };
}
