import type { Brand, BrandDetail, BrandWarning, OperatorOrg, Prompt } from '@bv/contract';
import type { BrandRow } from '../db/brands.ts';
import type { CompetitorRow } from '../db/competitors.ts';
import type { OrgRow } from '../db/orgs.ts';
import type { PromptRow } from '../db/prompts.ts';
import { findBrandWarnings, type FindLanguage } from '../domain/brand-warnings.ts';
import { findInnerNames } from '../domain/inner-names.ts';

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
function presentIdentity(
  brand: Pick<BrandRow, 'id' | 'name' | 'aliases' | 'match'>,
  findLanguage: FindLanguage,
  innerNames: ReadonlyMap<string, BrandWarning[]>,
) {
  const { aliases } = brand;
  const { case_sensitive, exclude, verify } = brand.match;
  return {
    aliases,
    match: { case_sensitive, exclude, verify },
    warnings: [...findBrandWarnings(brand, findLanguage), ...(innerNames.get(brand.id) ?? [])],
  };
}

export function presentBrandDetail(
  brand: BrandRow,
  competitors: readonly CompetitorRow[],
  changedAt: string | undefined,
  findLanguage: FindLanguage,
): BrandDetail {
  const innerNames = findInnerNames([brand, ...competitors]);
  return {
    ...presentBrand(brand),
    last_scan_changed_at: changedAt ?? null,
    ...presentIdentity(brand, findLanguage, innerNames),
    competitors: competitors.map((competitor) => ({
      id: competitor.id,
      name: competitor.name,
      domain: competitor.domain,
      ...presentIdentity(competitor, findLanguage, innerNames),
    })),
  };
}

export function presentPrompt({ org_id: _, version: __, ...prompt }: PromptRow): Prompt {
  return prompt;
}

export function presentOperatorOrg(org: OrgRow): OperatorOrg {
  const { id, name, tier, overrides, retention, created_at, updated_at } = org;
  return { id, name, tier, overrides, retention, created_at, updated_at };
}
