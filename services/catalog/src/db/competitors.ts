import type { MatchRules } from '@bv/contract';
import { execute, many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import { brandColumns, type BrandRow } from './brands.ts';

export type CompetitorRow = {
  id: string;
  name: string;
  domain: string;
  aliases: string[];
  match: MatchRules;
};

/** Competitors of an own brand in the order of linking, at most `maxCompetitorsPerBrand`. */
export function listCompetitors(db: Queryable, brandId: string): Promise<CompetitorRow[]> {
  return many(db, {
    name: 'catalog.list_competitors',
    text: `select brands.id, brands.name, brands.domain, brands.aliases, brands.match_rules as match
           from brand_competitors join brands on brands.id = brand_competitors.competitor_id
           where brand_competitors.brand_id = $1
           order by brand_competitors.created_at, brands.id`,
    values: [brandId],
  });
}

/** The competitor of the organisation with this normalised domain. Never an own brand. */
export function findCompetitorByDomain(
  db: Queryable,
  orgId: string,
  domain: string,
): Promise<BrandRow | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_competitor_by_domain',
    text: `select ${brandColumns} from brands where org_id = $1 and domain = $2 and not is_own`,
    values: [orgId, domain],
  });
}

export function insertCompetitor(
  tx: Transaction,
  { orgId, name, domain, aliases, match }: Omit<CompetitorRow, 'id'> & { orgId: string },
): Promise<BrandRow> {
  return one(tx, {
    name: 'catalog.insert_competitor',
    text: `insert into brands (org_id, is_own, name, domain, aliases, match_rules)
           values ($1, false, $2, $3, $4, $5)
           returning ${brandColumns}`,
    values: [orgId, name, domain, aliases, JSON.stringify(match)],
  });
}

export async function countCompetitors(db: Queryable, brandId: string): Promise<number> {
  const { count } = await one<{ count: number }>(db, {
    name: 'catalog.count_competitors',
    text: 'select count(*) from brand_competitors where brand_id = $1',
    values: [brandId],
  });
  return count;
}

/** The maximum number of competitors among the own brands that are not archived. */
export async function getMaxCompetitors(db: Queryable, orgId: string): Promise<number> {
  const { max_count } = await one<{ max_count: number }>(db, {
    name: 'catalog.max_competitors',
    text: `select coalesce(max(linked.count), 0) as max_count
           from (
             select count(*) from brand_competitors
             join brands on brands.id = brand_competitors.brand_id
             where brand_competitors.org_id = $1
               and brands.org_id = $1 and brands.is_own and brands.sunset_at is null
             group by brand_competitors.brand_id
           ) linked`,
    values: [orgId],
  });
  return max_count;
}

export async function isLinked(db: Queryable, brandId: string, competitorId: string): Promise<boolean> {
  const link = await maybeOne(db, {
    name: 'catalog.find_link',
    text: 'select from brand_competitors where brand_id = $1 and competitor_id = $2',
    values: [brandId, competitorId],
  });
  return link !== undefined;
}

/** The caller holds the brand's lock. */
export async function insertLink(
  tx: Transaction,
  link: { orgId: string; brandId: string; competitorId: string },
): Promise<void> {
  await execute(tx, {
    name: 'catalog.insert_link',
    text: 'insert into brand_competitors (org_id, brand_id, competitor_id) values ($1, $2, $3)',
    values: [link.orgId, link.brandId, link.competitorId],
  });
}

/** Returns false where there was no link. */
export async function deleteLink(
  tx: Transaction,
  link: { brandId: string; competitorId: string },
): Promise<boolean> {
  const deleted = await execute(tx, {
    name: 'catalog.delete_link',
    text: 'delete from brand_competitors where brand_id = $1 and competitor_id = $2',
    values: [link.brandId, link.competitorId],
  });
  return deleted === 1;
}
