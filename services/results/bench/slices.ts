import { BreakdownBy } from '@bv/contract';
import { measurePairs, medianRatio } from '@bv/measure';
import { type Pool, transaction } from '@bv/postgres';
import { scoreDay } from '../src/commands/score-day.ts';
import { type BrandLoad, orgId, toDay, toPromptId } from './generate.ts';
import { type Bench, connect, timed } from './measure.ts';
import { getPage } from './reads.ts';

const report = (line: string): boolean => process.stderr.write(`${line}\n`);

/** Adds the texts and tags of a brand's prompts, and scores its days, which writes the sums that slices are read from. */
export async function prepareSlices(
  pool: Pool,
  { brandId, days, prompts }: BrandLoad,
  { brand, today }: { brand: number; today: number },
): Promise<void> {
  for (let index = 0; index < prompts; index += 1) {
    await pool.query(
      `insert into prompts (id, org_id, brand_id, active, text, tags, version)
       values ($1, $2, $3, true, $4, $5, 1)`,
      [toPromptId(brand, index), orgId, brandId, `Which anvil is best for ${index}?`, [`tag-${index % 20}`]],
    );
  }
  for (let day = days; day > 0; day -= 1) {
    await transaction(pool, (tx) => scoreDay(tx, brandId, toDay(today, day)));
    if (day % 10 === 0) report(`scoring: ${day} days left`);
  }
}

/** What `key` is in a count of units; a tag and a kind are those of the prompt. */
const keyOf: Record<BreakdownBy, string> = {
  prompt: 'u.prompt_id::text',
  tag: 't.tag',
  platform: 'u.platform',
  country: 'u.country',
  model: `u.platform || '/' || u.model`,
  prompt_kind: 'p.active::text',
};

/** A plain count of the same units and brands by key, and by day with a series. */
const countByKey = (by: BreakdownBy, series: string): string =>
  `select ${keyOf[by]} as key${series === 'day' ? ', u.run_date' : ''}, b.brand_id, count(*),
     count(*) filter (where b.mentioned), count(*) filter (where b.cited), sum(b.position), sum(b.sentiment)
   from units u join unit_brands b on b.own_brand_id = u.brand_id and b.unit_id = u.id
     ${by === 'tag' || by === 'prompt_kind' ? 'join prompts p on p.id = u.prompt_id' : ''}
     ${by === 'tag' ? 'cross join lateral unnest(p.tags) as t (tag)' : ''}
   where u.brand_id = $1 and u.run_date between $2 and $3
   group by key${series === 'day' ? ', u.run_date' : ''}, b.brand_id`;

/** First pages of 200 rows of each breakdown over 90 days, as ratios of a plain count of the same rows. */
export async function measureSlices(bench: Bench, { brandId }: BrandLoad): Promise<string[]> {
  const range = { from: toDay(bench.today, 90), to: toDay(bench.today, 1) };
  const client = await connect(bench.databaseUrl);
  const lines = [];
  for (const series of ['none', 'day'] as const) {
    for (const by of BreakdownBy.options) {
      const query = { ...range, by, series, limit: '200' };
      const pairs = await measurePairs({
        sampler: bench.sampler,
        name: `${by} ${series}`,
        rounds: Math.min(3, bench.rounds),
        own: async () => (await getPage(bench.base, `brands/${brandId}/breakdown`, query)).ms,
        base: () => timed(() => client.query(countByKey(by, series), [brandId, range.from, range.to])),
      });
      lines.push(`${by}${series === 'day' ? ' by day' : ''} ${medianRatio(pairs).toFixed(2)}`);
    }
  }
  await client.end();
  return lines;
}
