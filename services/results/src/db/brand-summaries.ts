import type { Verdict } from '@bv/contract';
import { many, type Queryable } from '@bv/postgres';

type ListedBrand = {
  id: string;
  name: string;
  domain: string;
  external_ref: string | null;
  geography: string;
  active_prompts: number;
  last_scan_at: string | null;
  last_scan_status: 'completed' | 'partial' | 'failed' | null;
  scan_in_progress: boolean;
};

type BrandFigures = {
  score: number | null;
  previous_score: number | null;
  score_date: string | null;
  change_verdict: Verdict | null;
  sentiment: number | null;
  share_of_voice: number | null;
  average_position: number | null;
  changed_at: string | null;
};

export type BrandSummaryRow = ListedBrand & BrandFigures;

const noFigures: BrandFigures = {
  score: null,
  previous_score: null,
  score_date: null,
  change_verdict: null,
  sentiment: null,
  share_of_voice: null,
  average_position: null,
  changed_at: null,
};

/**
 * A page of an organisation's own brands that are not archived, by id, with their latest figures. Imported days after
 * `today` are ignored.
 */
export async function listBrandSummaryRows(
  db: Queryable,
  page: { orgId: string; after: string | null; today: string; limit: number },
): Promise<BrandSummaryRow[]> {
  const brands = await many<ListedBrand>(db, {
    name: 'results.list_brand_summaries',
    text: `select b.id, b.name, b.domain, b.external_ref, b.geography,
             (select count(*) from prompts p where p.brand_id = b.id and p.active) as active_prompts,
             ended.completed_at as last_scan_at, ended.status as last_scan_status,
             exists (select 1 from scans s where s.brand_id = b.id and s.status in ('queued', 'running'))
               as scan_in_progress
           from brands b
           left join lateral (
             select s.completed_at, s.status from scans s
             where s.brand_id = b.id and s.status in ('completed', 'partial', 'failed')
             order by s.queued_at desc limit 1) ended on true
           where b.org_id = $1 and b.is_own and b.sunset_at is null and ($2::uuid is null or b.id > $2)
           order by b.id limit $3`,
    values: [page.orgId, page.after, page.limit],
  });
  if (brands.length === 0) return [];
  const figures = await listBrandFigures(db, brands, page.today);
  return brands.map((brand) => ({ ...brand, ...(figures.get(brand.id) ?? noFigures) }));
}

/** The latest figures of brands with results. */
async function listBrandFigures(
  db: Queryable,
  brands: readonly { id: string }[],
  today: string,
): Promise<ReadonlyMap<string, BrandFigures>> {
  const rows = await many<BrandFigures & { brand_id: string }>(db, {
    name: 'results.list_brand_figures',
    text: `select t.brand_id, latest.score, latest.previous_score, latest.run_date as score_date, latest.sentiment,
             latest.share_of_voice, latest.average_position, evaluated.change_verdict, t.changed_at
           from brand_tokens t
           left join lateral (
             select s.run_date, s.score, lead(s.score) over (order by s.run_date desc) as previous_score, s.sentiment,
               s.share_of_voice, s.average_position
             from scores s
             where s.brand_id = t.brand_id and s.brand_id = any ($1) and s.country = '' and s.run_date <= $2
             order by s.run_date desc limit 1) latest on true
           left join lateral (
             select e.change_verdict from evaluated_days e
             where e.brand_id = t.brand_id and e.brand_id = any ($1) and e.run_date <= $2
             order by e.run_date desc limit 1) evaluated on true
           where t.brand_id = any ($1::uuid[]) and t.version > 0`,
    values: [brands.map(({ id }) => id), today],
  });
  return new Map(rows.map(({ brand_id, ...figures }) => [brand_id, figures]));
}

export type ChangedBrand = { id: string; name: string; domain: string; prompts: number };

/** Own brands of an organisation that are not archived; of more than `limit`, those with the newest day up to `today`. */
export async function listChangedBrands(
  db: Queryable,
  { orgId, today, limit }: { orgId: string; today: string; limit: number },
): Promise<ChangedBrand[]> {
  const brands = await many<ChangedBrand>(db, {
    name: 'results.list_changed_brands',
    text: `select id, name, domain, (select count(*)::int from prompts where brand_id = brands.id) as prompts
           from brands where org_id = $1 and is_own and sunset_at is null order by id`,
    values: [orgId],
  });
  if (brands.length <= limit) return brands;
  const newest = await many<{ brand_id: string; run_date: string }>(db, {
    name: 'results.list_newest_score_days',
    // Without the ids in the lookup: they help few brands, and slow the lookups of many down.
    text: `select t.brand_id, latest.run_date
           from brand_tokens t cross join lateral (
             select s.run_date from scores s
             where s.brand_id = t.brand_id and s.country = '' and s.run_date <= $2
             order by s.run_date desc limit 1) latest
           where t.brand_id = any ($1::uuid[])`,
    values: [brands.map(({ id }) => id), today],
  });
  const days = new Map(newest.map(({ brand_id, run_date }) => [brand_id, run_date]));
  const dayOf = ({ id }: ChangedBrand): string => days.get(id) ?? '';
  return brands
    .toSorted((a, b) => (dayOf(a) === dayOf(b) ? 0 : dayOf(a) < dayOf(b) ? 1 : -1))
    .slice(0, limit);
}
