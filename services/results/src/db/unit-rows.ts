import type { RankedName } from '@bv/extraction';
import { sourceDomain } from '@bv/source-url';
import { mentionsCompetitor, type UnitFindings } from '../domain/reread-unit.ts';
import { hashSearchedBrands } from '../domain/searched-brands.ts';
import type { SourcedUnit } from './sources.ts';
import type {
  FinalisedUnit,
  ReplacedUnit,
  UnitBrandInput,
  UnitInput,
  UnitNames,
  StoredName,
} from './units.ts';

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

export const toStoredNames = (others: readonly RankedName[]): StoredName[] =>
  others.map(({ name, key, start, end, domain, rank }) => [name, key, start, end, domain, rank]);

/** `others` is null if the answer was not read for names. */
const toNames = (others: readonly StoredName[] | null, brands: readonly OwnFinding[]): UnitNames => ({
  others,
  informative: others && (others.length > 0 || brands.some(({ mentioned }) => mentioned)),
});

export function toUnitInput({ brands, sources: _, others, ...unit }: FinalisedUnit): UnitInput {
  const { unit_id: id, ...rest } = unit;
  const searched_brands = hashSearchedBrands(brands.map((brand) => brand.brand_id));
  const read = unit.answer_text === null || others === undefined ? null : toStoredNames(others);
  return { ...rest, id, ...toOwnResult(unit.brand_id, brands), ...toNames(read, brands), searched_brands };
}

/** Of sources with the same position the first one counts. */
export function toSourcedUnit(unit: FinalisedUnit): SourcedUnit {
  const { unit_id: id, brand_id, prompt_id, run_date, platform, country, outcome, brands } = unit;
  const sources = new Map(unit.sources.toReversed().map((source) => [source.position, source]));
  return {
    id,
    brand_id,
    run_date,
    platform,
    country,
    outcome,
    prompt_id,
    mentioned: toOwnResult(brand_id, brands).mentioned,
    competitor_mentioned: mentionsCompetitor(brands),
    sources_unresolved: unit.sources_unresolved,
    sources: Array.from(sources.values(), (source) => ({ ...source, domain: sourceDomain(source.url) })),
  };
}

export function toUnitBrands({ unit_id, brand_id, brands }: FinalisedUnit) {
  return brands.map(({ evidence, ...brand }, ordinal) => ({
    ...brand,
    own_brand_id: brand_id,
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
  others: readonly StoredName[],
): ReplacedUnit {
  const rows = brands.map((brand, ordinal) => ({ ...brand, unit_id: unit.id, ordinal }));
  return {
    id: unit.id,
    ...toOwnResult(unit.brand_id, brands),
    ...toNames(others, brands),
    ...methods,
    brands: rows,
  };
}
