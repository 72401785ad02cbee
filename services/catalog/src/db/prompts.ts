import type { PlatformId, Prompt } from '@bv/contract';
import { many, maybeOne, one, type Queryable, type Transaction } from '@bv/postgres';
import type { PromptState } from '../domain/prompt-change.ts';
import { textIdentity } from '../domain/prompt-text.ts';

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

const columns = `
  id, org_id, brand_id, text, tags, countries, platforms, active, source, created_by_key_id, version, created_at,
  updated_at`;

export function findPrompt(db: Queryable, promptId: string): Promise<PromptRow | undefined> {
  return maybeOne(db, {
    name: 'catalog.find_prompt',
    text: `select ${columns} from prompts where id = $1`,
    values: [promptId],
  });
}

/** Locks the prompt's row. The caller holds the locks of `lockForPromptWrite`. */
export function lockPrompt(tx: Transaction, promptId: string): Promise<PromptRow> {
  return one(tx, {
    name: 'catalog.lock_prompt',
    text: `select ${columns} from prompts where id = $1 for no key update`,
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
           returning ${columns}`,
    values: [JSON.stringify(sent)],
  });
}

export type ChangedPrompt = PromptState & { id: string };

/** Updates prompts to these states. The caller holds the locks of `lockForPromptWrite`. */
export function savePrompts(tx: Transaction, prompts: readonly ChangedPrompt[]): Promise<PromptRow[]> {
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
           returning ${columns}`,
    values: [JSON.stringify(prompts.map(({ id, ...state }) => ({ id, ...state })))],
  });
}

/** Deactivates the prompts that are still active and returns them. */
export function deactivatePrompts(tx: Transaction, promptIds: readonly string[]): Promise<PromptRow[]> {
  return many(tx, {
    name: 'catalog.update_prompts_inactive',
    text: `update prompts set active = false, version = version + 1, updated_at = clock_timestamp()
           where id = any($1::uuid[]) and active
           returning ${columns}`,
    values: [promptIds],
  });
}

export type PromptPage = {
  orgId: string;
  brandId: string | null;
  active: boolean | null;
  tag: string | null;
  platform: PlatformId | null;
  country: string | null;
  after: { createdAt: string; id: string };
  limit: number;
};

const page = `
  and (created_at, id) > ($2::timestamptz, $3::uuid)
  order by created_at, id limit $4`;

/** Prompts of an organisation, or of one of its brands, oldest first. Each index has its own SQL text. */
export function listPrompts(db: Queryable, filter: PromptPage): Promise<PromptRow[]> {
  const { orgId, brandId, after, active, tag, platform, country, limit } = filter;
  const values = [orgId, after.createdAt, after.id, limit];
  if ([active, tag, platform, country].some((value) => value !== null)) {
    return many(db, {
      name: 'catalog.list_prompts_filtered',
      text: filteredText,
      values: [...values, brandId, active, tag, country, platform],
      prepare: false,
    });
  }
  if (brandId === null) {
    return many(db, {
      name: 'catalog.list_prompts',
      text: `select ${columns} from prompts where org_id = $1 ${page}`,
      values,
    });
  }
  return many(db, {
    name: 'catalog.list_prompts_by_brand',
    text: `select ${columns} from prompts where org_id = $1 and brand_id = $5 ${page}`,
    values: [...values, brandId],
  });
}

/**
 * Each filter appears twice. `prompt_keys` uses the GIN index for rare values. For common values Postgres scans the
 * list index, where the plain conditions cost a hundredth of `prompt_keys` per row.
 */
const filteredText = `
  select ${columns} from prompts
  where org_id = $1
    and ($5::uuid is null or brand_id = $5)
    and ($6::boolean is null or active = $6)
    and ($7::text is null or $7 = any (tags))
    and ($8::text is null or $8 = any (countries))
    and ($9::text is null or $9 = any (platforms))
    and prompt_keys(org_id, active, tags, countries, platforms)
      @> prompt_keys($1, $6, array[$7::text], array[$8::text], array[$9::text])
    ${page}`;

export type PlannedPromptRow = Pick<PromptRow, 'id' | 'text' | 'countries' | 'platforms'>;

/** A page of the brand's scan plan: active prompts with an id above `afterId`, in order of id. */
export function listPlannedPrompts(
  db: Queryable,
  brandId: string,
  afterId: string,
  limit: number,
): Promise<PlannedPromptRow[]> {
  return many(db, {
    name: 'catalog.list_planned_prompts',
    text: `select id, text, countries, platforms from prompts
           where brand_id = $1 and active and id > $2 order by id limit $3`,
    values: [brandId, afterId, limit],
  });
}
