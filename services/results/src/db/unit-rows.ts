import type { FinalisedUnit, ReplacedUnit, UnitBrandInput, UnitInput } from './units.ts';

/** What an extraction found in the answer of a unit. */
export type UnitFindings = Pick<
  FinalisedUnit,
  'unit_id' | 'brand_id' | 'brands' | 'sentiment_method' | 'mention_method'
>;

/** The result of the own brand, as stored with the unit. */
function toOwnResult({ brand_id, brands }: UnitFindings) {
  const own = brands.find((brand) => brand.brand_id === brand_id);
  const mentioned = own?.mentioned ?? false;
  return {
    mentioned,
    position: mentioned ? (own?.position ?? null) : null,
    sentiment: mentioned ? (own?.sentiment ?? null) : null,
    cited: own?.cited ?? false,
  };
}

export function toUnitInput({ brands, sources: _, ...unit }: FinalisedUnit): UnitInput {
  const { unit_id: id, ...rest } = unit;
  return { ...rest, id, ...toOwnResult({ ...unit, brands }) };
}

export function toUnitBrands({
  unit_id,
  brands,
}: Pick<UnitFindings, 'unit_id' | 'brands'>): UnitBrandInput[] {
  return brands.map(({ evidence, ...brand }, ordinal) => ({
    ...brand,
    unit_id,
    ordinal,
    evidence:
      evidence?.toSorted((a, b) => a.start - b.start).flatMap(({ start, end }) => [start, end]) ?? null,
  }));
}

/** The rows that replace those of a stored unit. */
export function toReplacedUnit(unit: UnitFindings): ReplacedUnit {
  const { unit_id: id, sentiment_method, mention_method } = unit;
  return { id, ...toOwnResult(unit), sentiment_method, mention_method, brands: toUnitBrands(unit) };
}
