import { ApiError, validationError } from '@bv/contract';

type BrandState = { id: string; is_own: boolean; sunset_at: string | null };

/** `path` names the parameter that holds the id. */
export function assertOwnBrand(brand: BrandState, path = 'brandId'): void {
  if (brand.is_own) return;
  const message = 'The operation is defined for own brands; this is a competitor';
  throw validationError([{ path, code: 'own_brand_only', message }]);
}

export function assertNotArchived(brand: BrandState): void {
  if (brand.sunset_at !== null) throw new ApiError('brand_archived', { details: { brand_id: brand.id } });
}
