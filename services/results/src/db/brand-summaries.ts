import type { Verdict } from '@bv/contract';
import { many, type Queryable } from '@bv/postgres';

export type BrandSummaryRow = {
  id: string;
  name: string;
  domain: string;
  external_ref: string | null;
  geography: string;
  score: number | null;
  previous_score: number | null;
  score_date: string | null;
  change_verdict: Verdict | null;
  sentiment: number | null;
  share_of_voice: number | null;
  average_position: number | null;
  active_prompts: number;
  last_scan_at: string | null;
  last_scan_status: 'completed' | 'partial' | 'failed' | null;
  scan_in_progress: boolean;
  changed_at: string | null;
};

/**
 * A page of an organisation's own brands that are not archived, by id, with their latest figures. Imported days after
 * `today` are ignored.
 */
export function listBrandSummaryRows(
  db: Queryable,
  page: { orgId: string; after: string | null; today: string; limit: number },
): Promise<BrandSummaryRow[]> {
  return many<BrandSummaryRow>(db, {
    name: 'results.list_brand_summaries',
    text: `select b.id, b.name, b.domain, b.external_ref, b.geography,
             latest.score, previous.score as previous_score, latest.run_date as score_date, latest.sentiment,
             latest.share_of_voice, latest.average_position, evaluated.change_verdict,
             (select count(*) from prompts p where p.brand_id = b.id and p.active) as active_prompts,
             ended.completed_at as last_scan_at, ended.status as last_scan_status,
             exists (select 1 from scans s where s.brand_id = b.id and s.status in ('queued', 'running'))
               as scan_in_progress,
             t.changed_at
           from brands b
           left join brand_tokens t on t.brand_id = b.id
           left join lateral (
             select * from scores s where s.brand_id = b.id and s.country = '' and s.run_date <= $4
             order by s.run_date desc limit 1) latest on true
           left join lateral (
             select p.score from scores p
             where p.brand_id = b.id and p.country = '' and p.run_date < latest.run_date
             order by p.run_date desc limit 1) previous on true
           left join lateral (
             select e.change_verdict from evaluated_days e where e.brand_id = b.id and e.run_date <= $4
             order by e.run_date desc limit 1) evaluated on true
           left join lateral (
             select s.completed_at, s.status from scans s
             where s.brand_id = b.id and s.status in ('completed', 'partial', 'failed')
             order by s.queued_at desc limit 1) ended on true
           where b.org_id = $1 and b.is_own and b.sunset_at is null and ($2::uuid is null or b.id > $2)
           order by b.id limit $3`,
    values: [page.orgId, page.after, page.limit, page.today],
  });
}

export type ChangedBrand = { id: string; name: string; domain: string };

/** Own brands of an organisation that are not archived, by the newest day with results up to `today`, then by id. */
export function listChangedBrands(
  db: Queryable,
  { orgId, today, limit }: { orgId: string; today: string; limit: number },
): Promise<ChangedBrand[]> {
  return many<ChangedBrand>(db, {
    name: 'results.list_changed_brands',
    text: `select b.id, b.name, b.domain
           from brands b left join lateral (
             select s.run_date from scores s where s.brand_id = b.id and s.country = '' and s.run_date <= $2
             order by s.run_date desc limit 1) latest on true
           where b.org_id = $1 and b.is_own and b.sunset_at is null
           order by latest.run_date desc nulls last, b.id limit $3`,
    values: [orgId, today, limit],
  });
}
