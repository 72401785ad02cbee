import type { PlatformId, Prompt } from '@bv/contract';
import { many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import type { PromptUsage } from '../domain/caps.ts';
import { type PromptState, textIdentity } from '../domain/prompts.ts';

export type PromptRow = {
  id: string;
  org_id: string;
  brand_id: string;
  text: string;
  tags: string[];
  countries: string[];
  platforms: PlatformId[];
  active: boolean;
  source: Prompt['source'];
  created_by_key_id: string | null;
  version: number;
  created_at: string;
  updated_at: string;
};

export const promptColumns = `
  id, org_id, brand_id, text, tags, countries, platforms, active, source, created_by_key_id, version, created_at,
  updated_at`;

export function findPrompt(db: Queryable, promptId: string): Promise<PromptRow | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_prompt',
    text: `select ${promptColumns} from prompts where id = $1`,
    values: [promptId],
  });
}

/** Locks the prompt's row. The caller holds the locks of `lockForPromptWrite`. */
export function lockPrompt(tx: Transaction, promptId: string): Promise<PromptRow> {
  return one(tx, {
    name: 'catalog.lock_prompt',
    text: `select ${promptColumns} from prompts where id = $1 for no key update`,
    values: [promptId],
  });
}

/** The active prompt of a brand with this text; there is at most one. */
export function findActivePromptByText(
  db: Queryable,
  brandId: string,
  textIdentity: Buffer,
): Promise<{ id: string } | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_active_prompt_by_text',
    text: 'select id from prompts where brand_id = $1 and text_identity = $2 and active',
    values: [brandId, textIdentity],
  });
}

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

export type NewPrompt = Omit<PromptRow, 'version' | 'created_at' | 'updated_at'>;

/** Inserts prompts in this order. */
export function insertPrompts(tx: Transaction, prompts: readonly NewPrompt[]): Promise<PromptRow[]> {
  const sent = prompts.map((prompt, position) => ({
    ...prompt,
    position,
    identity: textIdentity(prompt.text).toString('hex'),
  }));
  return many(tx, {
    name: 'catalog.insert_prompts',
    text: `insert into prompts
             (id, org_id, brand_id, text, text_identity, tags, countries, platforms, active, source, created_by_key_id)
           select id, org_id, brand_id, text, decode(identity, 'hex'), tags, countries, platforms, active, source,
             created_by_key_id
           from json_to_recordset($1::json) as sent (
             id uuid, org_id uuid, brand_id uuid, text text, identity text, tags text[], countries text[],
             platforms text[], active boolean, source text, created_by_key_id uuid, position integer)
           order by position
           returning ${promptColumns}`,
    values: [JSON.stringify(sent)],
  });
}

export type ChangedPrompt = PromptState & { id: string };

/** Updates prompts to these states. The caller holds the locks of `lockForPromptWrite`. */
export function updatePromptRows(tx: Transaction, prompts: readonly ChangedPrompt[]): Promise<PromptRow[]> {
  return many(tx, {
    name: 'catalog.update_prompts',
    text: `with sent as (
             select id as prompt_id, tags as new_tags, countries as new_countries, platforms as new_platforms,
               active as new_active
             from json_to_recordset($1::json)
               as sent (id uuid, tags text[], countries text[], platforms text[], active boolean)
           )
           update prompts
           set tags = new_tags, countries = new_countries, platforms = new_platforms, active = new_active,
               version = version + 1, updated_at = clock_timestamp()
           from sent where id = prompt_id
           returning ${promptColumns}`,
    values: [JSON.stringify(prompts.map(({ id, ...state }) => ({ id, ...state })))],
  });
}

/** Deactivates the prompts that are still active and returns them. */
export function deactivatePrompts(tx: Transaction, promptIds: readonly string[]): Promise<PromptRow[]> {
  return many(tx, {
    name: 'catalog.update_prompts_inactive',
    text: `update prompts set active = false, version = version + 1, updated_at = clock_timestamp()
           where id = any($1::uuid[]) and active
           returning ${promptColumns}`,
    values: [promptIds],
  });
}
