import { many, type Queryable } from '@bv/postgres';
import type { PromptRow } from './prompts.ts';

export type IdentifiedPromptRow = PromptRow & { text_identity: Buffer };

/** One prompt of the brand for each text: the active one, otherwise the most recently changed. */
export function listPromptsByText(
  db: Queryable,
  brandId: string,
  textIdentities: readonly Buffer[],
): Promise<IdentifiedPromptRow[]> {
  return many(db, {
    name: 'catalog.list_prompts_by_text',
    text: `select distinct on (text_identity)
             text_identity, id, org_id, brand_id, text, tags, countries, platforms, active, source,
             created_by_key_id, version, created_at, updated_at
           from prompts where brand_id = $1 and text_identity = any($2::bytea[])
           order by text_identity, active desc, updated_at desc, id desc`,
    values: [brandId, textIdentities],
  });
}

/** Active prompts of a brand with another text than these, oldest first. */
export function listMissingPrompts(
  db: Queryable,
  brandId: string,
  textIdentities: readonly Buffer[],
): Promise<{ id: string; text: string }[]> {
  return many(db, {
    name: 'catalog.list_missing_prompts',
    text: `select id, text from prompts
           where brand_id = $1 and active
             and not exists (select from unnest($2::bytea[]) listed where listed = prompts.text_identity)
           order by created_at, id`,
    values: [brandId, textIdentities],
  });
}
