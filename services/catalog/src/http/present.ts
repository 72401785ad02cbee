import type { Brand, BrandDetail, OperatorOrg, Prompt } from '@bv/contract';
import type { BrandRow } from '../db/brands.ts';
import type { CompetitorRow } from '../db/competitors.ts';
import type { OrgRow } from '../db/orgs.ts';
import type { PromptRow } from '../db/prompts.ts';

export function presentBrand({ org_id: _, aliases: __, version: ___, ...brand }: BrandRow): Brand {
  return brand;
}

export function presentBrandDetail(
  brand: BrandRow,
  competitors: readonly CompetitorRow[],
  changedAt: string | undefined,
): BrandDetail {
  return {
    ...presentBrand(brand),
    last_scan_changed_at: changedAt ?? null,
    aliases: brand.aliases,
    competitors: competitors.map(({ id, name, domain }) => ({ id, name, domain })),
  };
}

export function presentPrompt({ org_id: _, version: __, ...prompt }: PromptRow): Prompt {
  return prompt;
}

export function presentOperatorOrg(org: OrgRow): OperatorOrg {
  const { id, name, tier, overrides, created_at, updated_at } = org;
  return { id, name, tier, overrides, created_at, updated_at };
}
