import { ApiError, validationError } from '@bv/contract';
import { callRpc, findPromptRpc, newestBrandsRpc, RpcUnavailable, unlessPurged } from '@bv/events';
import { applyPrompt } from '../commands/apply-catalog-state.ts';
import { requestBrand } from '../commands/request-brands.ts';
import type { Context } from '../context.ts';
import { type BrandRow, findBrand, listBrandsByIds } from '../db/brands.ts';
import { findPrompt, type PromptRow } from '../db/prompts.ts';

/**
 * A brand from the projection, else from the catalog: the event of a brand that was just created may not have arrived
 * yet.
 */
export async function findOrFetchBrand(ctx: Context, brandId: string): Promise<BrandRow | undefined> {
  return (await findBrand(ctx.pool, brandId)) ?? fetchBrand(ctx, brandId);
}

/**
 * The current state of a brand from the catalog, or its last projected state if the catalog no longer has it. Without a
 * reply it throws `503`: a brand that is missing here may exist there, so the response must not be `404`.
 */
export async function fetchBrand(ctx: Context, brandId: string): Promise<BrandRow | undefined> {
  await requestBrand(ctx, brandId);
  return findBrand(ctx.pool, brandId);
}

/** An own brand of the organisation. Throws `404 not_found`, or `own_brand_only` for a competitor. */
export async function findOwnBrand(
  ctx: Context,
  { orgId, brandId }: { orgId: string; brandId: string },
): Promise<BrandRow> {
  const brand = await findOrFetchBrand(ctx, brandId);
  if (brand === undefined || brand.org_id !== orgId) throw new ApiError('not_found');
  return checkOwnBrand(brand);
}

/** An own brand of any organisation. Throws as `findOwnBrand`. */
export async function findOwnBrandForOperator(ctx: Context, brandId: string): Promise<BrandRow> {
  const brand = await findOrFetchBrand(ctx, brandId);
  if (brand === undefined) throw new ApiError('not_found');
  return checkOwnBrand(brand);
}

function checkOwnBrand(brand: BrandRow): BrandRow {
  if (brand.is_own) return brand;
  throw validationError([
    { path: 'brandId', code: 'own_brand_only', message: 'The operation is for own brands only' },
  ]);
}

/**
 * A prompt from the projection, else from the catalog: the event of a prompt that was just created may not have arrived
 * yet.
 */
export async function findOrFetchPrompt(ctx: Context, promptId: string): Promise<PromptRow | undefined> {
  const projected = await findPrompt(ctx.pool, promptId);
  if (projected !== undefined) return projected;
  const reply = await callRpc(ctx.nats, findPromptRpc, { id: promptId });
  if (reply === null) return undefined;
  await unlessPurged(ctx.pool, reply.data.org_id, (tx) => applyPrompt(tx, reply.version, reply.data));
  return findPrompt(ctx.pool, promptId);
}

/** A prompt of the organisation. Throws `404 not_found`. */
export async function findPromptOfOrg(
  ctx: Context,
  { orgId, promptId }: { orgId: string; promptId: string },
): Promise<PromptRow> {
  const prompt = await findOrFetchPrompt(ctx, promptId);
  if (prompt === undefined || prompt.org_id !== orgId) throw new ApiError('not_found');
  return prompt;
}

/**
 * Fetches own brands whose events have not arrived yet, so that lists of an organisation show a brand that was just
 * created. If the catalog does not reply, they contain only the brands of the projection.
 */
export async function syncNewBrands(ctx: Context, orgId: string): Promise<void> {
  try {
    const newest = await callRpc(ctx.nats, newestBrandsRpc, { org_id: orgId });
    const projected = new Set((await listBrandsByIds(ctx.pool, newest)).map(({ id }) => id));
    for (const id of newest) if (!projected.has(id)) await fetchBrand(ctx, id);
  } catch (error) {
    if (!(error instanceof RpcUnavailable)) throw error;
  }
}
