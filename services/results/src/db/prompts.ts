import type { DateWindow } from '@bv/contract';
import { execute, many, maybeOne, one, type Queryable } from '@bv/postgres';
import type { PromptText } from '../domain/prompt-slices.ts';

export type PromptRow = { id: string; org_id: string; brand_id: string; active: boolean };

export function listPromptTexts(db: Queryable, brandId: string): Promise<PromptText[]> {
  return many<PromptText>(db, {
    name: 'results.list_prompt_texts',
    text: 'select id, text, tags, active from prompts where brand_id = $1',
    values: [brandId],
  });
}

/** The prompts with a unit in a window. A statement of its own, because Citus does not store prompts with the units. */
export async function listMeasuredPrompts(
  db: Queryable,
  brandId: string,
  { from, to }: DateWindow,
): Promise<ReadonlySet<string>> {
  const rows = await many<{ prompt_id: string }>(db, {
    name: 'results.list_measured_prompts',
    text: 'select distinct prompt_id from cell_days where brand_id = $1 and run_date between $2 and $3',
    values: [brandId, from, to],
  });
  return new Set(rows.map(({ prompt_id: id }) => id));
}

export async function countPrompts(db: Queryable, brandId: string): Promise<number> {
  const { count } = await one<{ count: number }>(db, {
    name: 'results.count_prompts',
    text: 'select count(*)::int as count from prompts where brand_id = $1',
    values: [brandId],
  });
  return count;
}

export function findPrompt(db: Queryable, id: string): Promise<PromptRow | undefined> {
  return maybeOne<PromptRow>(db, {
    name: 'results.find_prompt',
    text: 'select id, org_id, brand_id, active from prompts where id = $1',
    values: [id],
  });
}

/**
 * Stores a prompt's state if it is newer than the stored one, or has the text that the stored one lacks. Returns the
 * number of rows written: 0 or 1.
 */
export function upsertPrompt(
  db: Queryable,
  prompt: PromptRow & { text: string; tags: string[]; version: number },
): Promise<number> {
  return execute(db, {
    name: 'results.upsert_prompt',
    text: `insert into prompts (id, org_id, brand_id, active, text, tags, version)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (id) do update set active = excluded.active, text = excluded.text, tags = excluded.tags,
             version = excluded.version
           where prompts.version < excluded.version or prompts.text is null`,
    values: [
      prompt.id,
      prompt.org_id,
      prompt.brand_id,
      prompt.active,
      prompt.text,
      prompt.tags,
      prompt.version,
    ],
  });
}
