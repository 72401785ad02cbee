import {
  ApiError,
  type OperatorPrompt,
  operatorGetPrompt,
  operatorListBrandPrompts,
  operatorListOrgPrompts,
} from '@bv/contract';
import { route } from '@bv/http';
import { buildPage, type PageRequest, parsePage, startPosition, toCreatedAtPosition } from '@bv/pagination';
import type { Context } from '../context.ts';
import { findBrand, listBrandNames } from '../db/brands.ts';
import { findOrg, type OrgRow } from '../db/orgs.ts';
import { listPromptRows } from '../db/prompt-lists.ts';
import { findPrompt, type PromptRow } from '../db/prompts.ts';
import { presentPrompt } from './present.ts';

export const operatorListOrgPromptsRoute = (ctx: Context) =>
  route(operatorListOrgPrompts, async ({ params: { orgId }, query: { cursor, limit, ...filters } }) => {
    const list = { operation: operatorListOrgPrompts.id, collection: [orgId], filters };
    const page = parsePage(ctx.cursors, list, { cursor, limit });
    const org = await findOrg(ctx.pool, orgId);
    if (!org) throw new ApiError('not_found');
    return readPromptPage(ctx, page, { org, brandId: null });
  });

export const operatorListBrandPromptsRoute = (ctx: Context) =>
  route(operatorListBrandPrompts, async ({ params: { brandId }, query: { cursor, limit, ...filters } }) => {
    const list = { operation: operatorListBrandPrompts.id, collection: [brandId], filters };
    const page = parsePage(ctx.cursors, list, { cursor, limit });
    const brand = await findBrand(ctx.pool, brandId);
    const org = brand && (await findOrg(ctx.pool, brand.org_id));
    if (!org) throw new ApiError('not_found');
    return readPromptPage(ctx, page, { org, brandId });
  });

export const operatorGetPromptRoute = ({ pool }: Context) =>
  route(operatorGetPrompt, async ({ params: { promptId } }) => {
    const prompt = await findPrompt(pool, promptId);
    const org = prompt && (await findOrg(pool, prompt.org_id));
    if (!org) throw new ApiError('not_found');
    const names = await listBrandNames(pool, [prompt.brand_id]);
    return { data: presentOperatorPrompt(prompt, org, toNames(names)) };
  });

async function readPromptPage(
  { pool, cursors }: Context,
  page: PageRequest<{ active?: 'true' | 'false' | undefined }>,
  { org, brandId }: { org: OrgRow; brandId: string | null },
) {
  const { active } = page.filters;
  const rows = await listPromptRows(pool, {
    orgId: org.id,
    brandId,
    active: active === undefined ? null : active === 'true',
    tag: null,
    platform: null,
    country: null,
    after: toCreatedAtPosition(page) ?? startPosition,
    limit: page.limit + 1,
  });
  const names = toNames(await listBrandNames(pool, [...new Set(rows.map(({ brand_id }) => brand_id))]));
  const toSortKey = ({ created_at, id }: PromptRow): string[] => [created_at, id];
  const present = (prompt: PromptRow) => presentOperatorPrompt(prompt, org, names);
  return buildPage(cursors, page, { rows, toSortKey, present });
}

const toNames = (brands: readonly { id: string; name: string }[]): ReadonlyMap<string, string> =>
  new Map(brands.map(({ id, name }) => [id, name]));

function presentOperatorPrompt(
  prompt: PromptRow,
  org: OrgRow,
  brandNames: ReadonlyMap<string, string>,
): OperatorPrompt {
  const brand_name = brandNames.get(prompt.brand_id) ?? '';
  return { ...presentPrompt(prompt), brand_name, org_id: org.id, org_name: org.name };
}
