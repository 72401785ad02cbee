import type { DateWindow } from '@bv/contract';
import type { TrackedBrand } from '@bv/extraction';
import { many, one, type Queryable } from '@bv/postgres';
import { sourceDomain } from '@bv/source-url';
import { type BrandIdentity, findBrand, listBrandsByIds } from './brands.ts';

/** A brand that is searched for in answers. */
export type TrackedBrandRow = BrandIdentity & {
  id: string;
  name: string;
  domain: string;
  is_own: boolean;
  version: number;
};

/** As the extraction reads it. */
export const toTrackedBrand = ({
  id,
  name,
  domain,
  aliases,
  is_own,
  match,
}: TrackedBrandRow): TrackedBrand => ({
  id,
  name,
  domain,
  aliases,
  isOwn: is_own,
  match: { caseSensitive: match.case_sensitive, exclude: match.exclude, verify: match.verify },
});

export type TrackedBrands = {
  /** The own brand, then its competitors in the order of their links. */
  brands: TrackedBrandRow[];
  /** Ids of the brands that are not projected. */
  missing: string[];
};

/** An own brand and the competitors linked to it, with their identities. */
export async function findTrackedBrands(db: Queryable, brandId: string): Promise<TrackedBrands> {
  const rows = await many<TrackedBrandRow & { complete: boolean }>(db, {
    name: 'results.find_tracked_brands',
    text: `select t.id, b.name, b.domain, t.place = 0 as is_own, b.aliases, b.match, b.version,
             b.id is not null as complete
           from (select $1::uuid as id, 0 as place
                 union all
                 select linked.id, linked.place from brands own
                   cross join unnest(own.competitor_ids) with ordinality linked (id, place)
                 where own.id = $1) t
             left join brands b on b.id = t.id
           order by t.place`,
    values: [brandId],
  });
  return {
    brands: rows.filter(({ complete }) => complete).map(({ complete: _, ...brand }) => brand),
    missing: rows.filter(({ complete }) => !complete).map(({ id }) => id),
  };
}

/**
 * Whether the LLM judge decides the mentions of an own brand or of one of its competitors, or decided some in this
 * range of days. A brand that is not projected may have the rule, and so may deleted units.
 */
export async function hasVerifiedBrand(
  db: Queryable,
  brandId: string,
  { from, to }: DateWindow,
): Promise<boolean> {
  const { brands, missing } = await findTrackedBrands(db, brandId);
  if (missing.length > 0 || brands.some(({ match }) => match.verify)) return true;
  const row = await one<{ has: boolean }>(db, {
    name: 'results.has_verified_units',
    text: `select exists (
             select from units
             where brand_id = $1 and run_date between $2 and $3 and mention_method = 'words+llm')
             or exists (select from brand_tokens where brand_id = $1 and last_verified_day >= $2) as has`,
    values: [brandId, from, to],
  });
  return row.has;
}

export type TrackedDomains = { own: string; competitors: ReadonlyMap<string, string> };

/** Registrable domains of a brand, and of its competitors with their ids. They decide the category of a source. */
export async function findTrackedDomains(db: Queryable, brandId: string): Promise<TrackedDomains> {
  const own = await findBrand(db, brandId);
  const competitors = await listBrandsByIds(db, own?.competitor_ids ?? []);
  return {
    own: own === undefined ? '' : sourceDomain(own.domain),
    competitors: new Map(competitors.map((brand) => [sourceDomain(brand.domain), brand.id])),
  };
}
