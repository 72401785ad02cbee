import { many, type Queryable } from '@bv/postgres';

/** The newest day of one series. `country` is '' in the all-market series. */
export type NewestDay = {
  country: string;
  run_date: string;
  score: number | null;
  sentiment: number | null;
  earlier_score: number | null;
  earlier_sentiment: number | null;
};

/** The latest earlier value of a column: days without a value are skipped. */
const earlier = (column: 'score' | 'sentiment'): string => `left join lateral (
    select p.${column} as value from scores p
    where p.brand_id = newest.brand_id and p.country = newest.country and p.run_date < newest.run_date
      and p.${column} is not null
    order by p.run_date desc limit 1) earlier_${column} on true`;

/**
 * The newest day of each series of a brand, with the latest earlier values. Returns at most `limit` series: first the
 * all-market series, then `countries`, then the series with the newest days.
 */
export function listNewestDays(
  db: Queryable,
  brandId: string,
  { countries, limit }: { countries: string[]; limit: number },
): Promise<NewestDay[]> {
  return many<NewestDay>(db, {
    name: 'results.list_newest_days',
    text: `select newest.country, newest.run_date, newest.score, newest.sentiment,
             earlier_score.value as earlier_score, earlier_sentiment.value as earlier_sentiment
           from (
             select day.* from (
               select '' as country union select country from unit_markets where brand_id = $1) series
             cross join lateral (
               select s.brand_id, s.country, s.run_date, s.score, s.sentiment from scores s
               where s.brand_id = $1 and s.country = series.country
               order by s.run_date desc limit 1) day
             order by day.country <> '', day.country <> all ($2::text[]), day.run_date desc, day.country
             limit $3) newest
             ${earlier('score')}
             ${earlier('sentiment')}
           order by newest.country`,
    values: [brandId, countries, limit],
  });
}
