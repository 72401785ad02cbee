import type { DateWindow } from '@bv/contract';
import type { TrackedBrand } from '@bv/extraction';
import { many, type Queryable } from '@bv/postgres';
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
 * The own brands of which the LLM judge decides mentions, their own or those of a competitor, or decided some in one
 * of two windows. A brand that is not projected may have the rule, and so may deleted units.
 */
export async function listVerifiedBrands(
  db: Queryable,
  brandIds: readonly string[],
  [a, b]: readonly [DateWindow, DateWindow],
): Promise<ReadonlySet<string>> {
  const verified = await many<{ id: string }>(db, {
    name: 'results.list_verified_brands',
    text: `select t.brand_id as id from brand_tokens t left join lateral (
             select true as has from units
             where brand_id = t.brand_id and brand_id = any ($1)
               and (run_date between $2 and $3 or run_date between $4 and $5)
               and mention_method = 'words+llm' limit 1) u on true
           where t.brand_id = any ($1::uuid[]) and (u.has or t.last_verified_day >= least($2, $4))`,
    values: [brandIds, a.from, a.to, b.from, b.to],
  });
  const verifying = await many<{ id: string }>(db, {
    name: 'results.list_verifying_brands',
    text: `select own.id from unnest($1::uuid[]) own (id)
           where exists (
             select from (
               select own.id union all select unnest(competitor_ids) from brands where id = own.id) t
               left join brands b on b.id = t.id
             where b.id is null or (b.match ->> 'verify')::boolean)`,
    values: [brandIds],
  });
  return new Set([...verified, ...verifying].map(({ id }) => id));
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
