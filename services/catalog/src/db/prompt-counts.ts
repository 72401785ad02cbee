import { many, type Queryable } from '@bv/postgres';
import type { PromptUsage } from '../domain/caps.ts';

/** Active prompts of the brands that are not archived: total, and by country. */
export async function getPromptUsage(db: Queryable, orgId: string): Promise<PromptUsage> {
  const rows = await many<{ country: string; active_prompts: number }>(db, {
    name: 'catalog.get_prompt_usage',
    text: `select country, active_prompts from prompt_counts
           where org_id = $1 and active_prompts > 0 order by country`,
    values: [orgId],
  });
  const counts = new Map(rows.map((row) => [row.country, row.active_prompts]));
  const prompts = counts.get('') ?? 0;
  counts.delete('');
  return { prompts, countries: counts };
}

/** Active prompts of one brand, archived or not: the usage that restoring it would add. */
export async function countBrandPrompts(db: Queryable, brandId: string): Promise<PromptUsage> {
  const rows = await many<{ country: string; prompts: number }>(db, {
    name: 'catalog.count_prompts_of_brand',
    text: `select country, count(*) as prompts
           from prompts, unnest(countries || ''::text) as country
           where brand_id = $1 and active group by country`,
    values: [brandId],
  });
  const counts = new Map(rows.map((row) => [row.country, row.prompts]));
  const prompts = counts.get('') ?? 0;
  counts.delete('');
  return { prompts, countries: counts };
}
