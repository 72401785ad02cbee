import { isDeepStrictEqual } from 'node:util';
import { type MatchRules, type RequestBody, type updateBrand, validationError } from '@bv/contract';
import type { BrandState } from './brands.ts';

/** The fields of a brand that a caller can change. */
export type BrandFields = {
  name: string;
  aliases: string[];
  match: MatchRules;
  geography: string;
  external_ref: string | null;
};

type BrandPatch = RequestBody<typeof updateBrand>;

/** Throws `own_brand_only` for each field of the patch that a competitor does not have. */
export function checkFieldsOfBrand(brand: BrandState, patch: BrandPatch): void {
  if (brand.is_own) return;
  const refused = (['geography', 'external_ref'] as const).filter((field) => patch[field] !== undefined);
  if (refused.length === 0) return;
  const message = 'The field is defined for own brands; this is a competitor';
  throw validationError(refused.map((path) => ({ path, code: 'own_brand_only', message })));
}

/** The fields after the patch; undefined if nothing changes. */
export function applyBrandPatch(brand: BrandFields, patch: BrandPatch): BrandFields | undefined {
  const { name, aliases, match, geography, external_ref } = brand;
  const before = { name, aliases, match, geography, external_ref };
  const after = {
    name: patch.name ?? name,
    aliases: patch.aliases ?? aliases,
    match: patch.match ?? match,
    geography: patch.geography ?? geography,
    external_ref: patch.external_ref === undefined ? external_ref : patch.external_ref,
  };
  return isDeepStrictEqual(before, after) ? undefined : after;
}
