import { execute, many, type Queryable } from '@bv/postgres';
import { nameBrands } from './brands.ts';

export type ShareValues = {
  platform: string;
  country: string;
  brand_id: string;
  name: string;
  domain: string;
  is_own: boolean;
  share_of_voice: number | null;
  mentions: number;
  total_mentions: number;
  units_answered: number;
  mention_rate: number | null;
  average_position: number | null;
  rank: number;
};

export type ShareRow = Omit<ShareValues, 'platform' | 'country'> & { run_date: string };

const values = `platform, country, brand_id, name, domain, is_own, share_of_voice, mentions, total_mentions,
  units_answered, mention_rate, average_position, rank`;

/**
 * Deletes a day's rows of the given cells. The rows of a later scan replace them completely, so that a brand that the
 * latest answers do not track keeps no row.
 */
export function deleteSharesOfDay(
  db: Queryable,
  ownBrandId: string,
  runDate: string,
  cells: { platform: string; country: string }[],
): Promise<number> {
  return execute(db, {
    name: 'results.delete_shares_of_day',
    text: `delete from share_of_voice s
           using (select unnest($3::text[]) as platform, unnest($4::text[]) as country) c
           where s.own_brand_id = $1 and s.platform = c.platform and s.country = c.country and s.run_date = $2`,
    values: [ownBrandId, runDate, cells.map((cell) => cell.platform), cells.map((cell) => cell.country)],
  });
}

/** Deletes a day's rows of every cell, also of cells whose units were deleted. */
export function deleteAllSharesOfDay(db: Queryable, ownBrandId: string, runDate: string): Promise<number> {
  return execute(db, {
    name: 'results.delete_all_shares_of_day',
    text: 'delete from share_of_voice where own_brand_id = $1 and run_date = $2',
    values: [ownBrandId, runDate],
  });
}

export function insertShares(
  db: Queryable,
  ownBrandId: string,
  runDate: string,
  rows: ShareValues[],
): Promise<number> {
  return execute(db, {
    name: 'results.insert_shares',
    text: `insert into share_of_voice (own_brand_id, run_date, ${values})
           select $1, $2, ${values}
           from jsonb_to_recordset($3::jsonb) as r (platform text, country text, brand_id uuid, name text,
             domain text, is_own boolean, share_of_voice numeric, mentions int, total_mentions int,
             units_answered int, mention_rate numeric, average_position numeric, rank int)`,
    values: [ownBrandId, runDate, JSON.stringify(rows)],
  });
}

type SharePage = {
  brandId: string;
  platform: string;
  country: string;
  from: string;
  to: string;
  /** Sort tuple of the last row of the previous page; null for the first page. */
  after: { runDate: string; rank: number; brandId: string } | null;
  limit: number;
};

/** A page of one cell, newest day first, then by rank. */
export async function listShareRows(db: Queryable, page: SharePage): Promise<ShareRow[]> {
  const rows = await many<ShareRow>(db, {
    name: 'results.list_shares',
    text: `select run_date, brand_id, name, domain, is_own, share_of_voice, mentions, total_mentions, units_answered,
             mention_rate, average_position, rank
           from share_of_voice
           where own_brand_id = $1 and platform = $2 and country = $3 and run_date between $4 and $5
             and ($6::date is null or run_date < $6
               or (run_date = $6 and (rank, brand_id) > ($7::integer, $8::uuid)))
           order by run_date desc, rank, brand_id limit $9`,
    values: [
      page.brandId,
      page.platform,
      page.country,
      page.from,
      page.to,
      page.after?.runDate ?? null,
      page.after?.rank ?? null,
      page.after?.brandId ?? null,
      page.limit,
    ],
  });
  return nameBrands(db, rows);
}
