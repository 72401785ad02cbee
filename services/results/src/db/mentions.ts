import { many, type Queryable } from '@bv/postgres';

export type MentionRow = {
  id: string;
  prompt_id: string;
  run_date: string;
  platform: string;
  country: string;
  finalized_at: string;
  mentioned: boolean;
  position: number | null;
  sentiment: number | null;
};

/** Sort tuple of a unit, newest first. */
export type UnitKey = { runDate: string; finalizedAt: string; id: string };

export type UnitPage = {
  from: string;
  to: string;
  platform: string | null;
  country: string | null;
  after: UnitKey | null;
  limit: number;
};

/** A page of an own brand's units, carrying that brand's mention only. */
export function listMentions(db: Queryable, brandId: string, page: UnitPage): Promise<MentionRow[]> {
  return many<MentionRow>(db, {
    name: page.after === null ? 'results.list_mentions_first' : 'results.list_mentions_next',
    text: `select id, prompt_id, run_date, platform, country, finalized_at, mentioned, position, sentiment
           from units
           where brand_id = $1 and run_date between $2 and $3
             and ($4::text is null or platform = $4) and ($5::text is null or country = $5)
             ${page.after === null ? '' : 'and (run_date, finalized_at, id) < ($7::date, $8::timestamptz, $9::uuid)'}
           order by run_date desc, finalized_at desc, id desc limit $6`,
    values: [
      brandId,
      page.from,
      page.to,
      page.platform,
      page.country,
      page.limit,
      ...(page.after === null ? [] : [page.after.runDate, page.after.finalizedAt, page.after.id]),
    ],
  });
}
