import type { PlatformId } from '@bv/contract';
import { many, type Queryable } from '@bv/postgres';
import { promptColumns, type PromptRow } from './prompts.ts';

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
export function listPromptRows(db: Queryable, filter: PromptPage): Promise<PromptRow[]> {
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
      text: `select ${promptColumns} from prompts where org_id = $1 ${page}`,
      values,
    });
  }
  return many(db, {
    name: 'catalog.list_prompts_by_brand',
    text: `select ${promptColumns} from prompts where org_id = $1 and brand_id = $5 ${page}`,
    values: [...values, brandId],
  });
}

/**
 * Each filter appears twice. `prompt_keys` uses the GIN index for rare values. For common values Postgres scans the
 * list index, where the plain conditions cost a hundredth of `prompt_keys` per row.
 */
const filteredText = `
  select ${promptColumns} from prompts
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
             text_identity, ${promptColumns}
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
