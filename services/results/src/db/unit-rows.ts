import type { UnitFindings } from '../domain/reread-unit.ts';
import type { FinalisedUnit, ReplacedUnit, UnitBrandInput, UnitInput } from './units.ts';

type OwnFinding = Pick<UnitBrandInput, 'brand_id' | 'mentioned' | 'position' | 'sentiment' | 'cited'>;

/** The result of the own brand, as stored with the unit. */
function toOwnResult(brandId: string, brands: readonly OwnFinding[]) {
  const own = brands.find((brand) => brand.brand_id === brandId);
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
  return { ...rest, id, ...toOwnResult(unit.brand_id, brands) };
}

export function toUnitBrands({ unit_id, brands }: FinalisedUnit): UnitBrandInput[] {
  return brands.map(({ evidence, ...brand }, ordinal) => ({
    ...brand,
    unit_id,
    ordinal,
    evidence:
      evidence?.toSorted((a, b) => a.start - b.start).flatMap(({ start, end }) => [start, end]) ?? null,
  }));
}

/** The rows that replace those of a stored unit. */
export function toReplacedUnit(
  unit: { id: string; brand_id: string },
  { brands, ...methods }: UnitFindings,
): ReplacedUnit {
  const rows = brands.map((brand, ordinal) => ({ ...brand, unit_id: unit.id, ordinal }));
  return { id: unit.id, ...toOwnResult(unit.brand_id, brands), ...methods, brands: rows };
}
