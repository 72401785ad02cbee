import { ApiError, createProperty, getBrand, listBrands, type RequestBody, updateBrand } from '@bv/contract';
import { route, processOnce } from '@bv/http';
import { buildPage, parsePage, startPosition, toCreatedAtPosition } from '@bv/pagination';
import type { Queryable, Transaction } from '@bv/postgres';
import { changeBrand } from '../commands/brands.ts';
import { type PropertyRun, runPropertyCreation } from '../commands/properties.ts';
import type { Context } from '../context.ts';
import { type BrandRow, findBrand, listBrandRows } from '../db/brands.ts';
import { listCompetitors } from '../db/competitors.ts';
import { deleteProgress } from '../db/operation-progress.ts';
import { findBrandChange } from '../db/projections.ts';
import { parseProperty, partialFailure } from '../domain/brands.ts';
import { loadCommonWords } from './common-words.ts';
import { presentBrand, presentBrandDetail } from './present.ts';

export const listBrandsRoute = ({ pool, cursors }: Context) =>
  route(listBrands, async ({ params: { orgId }, query }) => {
    const filters = { is_own: query.is_own };
    const page = parsePage(cursors, { operation: listBrands.id, collection: [orgId], filters }, query);
    const { is_own } = page.filters;
    const rows = await listBrandRows(pool, {
      orgId,
      isOwn: is_own === undefined ? null : is_own === 'true',
      after: toCreatedAtPosition(page) ?? startPosition,
      limit: page.limit + 1,
    });
    const toSortKey = ({ created_at, id }: BrandRow): string[] => [created_at, id];
    return buildPage(cursors, page, { rows, toSortKey, present: presentBrand });
  });

export const getBrandRoute = (ctx: Context) =>
  route(getBrand, async ({ params: { orgId, brandId } }) => {
    return { data: await readBrandDetail(ctx, ctx.pool, { orgId, brandId }) };
  });

export const updateBrandRoute = (ctx: Context) =>
  route(updateBrand, ({ params, body, caller }) =>
    processOnce(ctx.pool, caller, updateBrand, async (tx) => {
      await changeBrand(tx, params, body);
      return { data: await readBrandDetail(ctx, tx, params) };
    }),
  );

export const createPropertyRoute = (ctx: Context) =>
  route(createProperty, async ({ params: { orgId }, body, sentBody, caller }) => {
    const { pool } = ctx;
    const hosts = parseProperty(ctx.markets, body, sentBody);
    const run = await runPropertyCreation({ pool, orgId, operationId: caller.operationId, body, hosts });
    return processOnce(pool, caller, createProperty, (tx) => finishProperty(ctx, tx, { orgId, body, run }));
  });

/** Builds the response. Runs in the transaction that records it. */
async function finishProperty(
  ctx: Context,
  tx: Transaction,
  {
    orgId,
    body: { markets = [], competitors = [] },
    run,
  }: { orgId: string; body: RequestBody<typeof createProperty>; run: PropertyRun | undefined },
) {
  if (!run) throw new ApiError('not_found');
  const created = { ...(await readBrandDetail(ctx, tx, { orgId, brandId: run.brandId })), markets };
  await deleteProgress(tx, run.operationId);
  return partialFailure(created, competitors, run.outcomes) ?? { data: created };
}

/** A brand of the organisation with its linked competitors, its change token and warnings. */
export async function readBrandDetail(
  ctx: Context,
  db: Queryable,
  { orgId, brandId }: { orgId: string; brandId: string },
) {
  const brand = await findBrand(db, brandId);
  if (brand?.org_id !== orgId) throw new ApiError('not_found');
  const competitors = brand.is_own ? await listCompetitors(db, brandId) : [];
  const changedAt = await findBrandChange(db, brandId);
  return presentBrandDetail(brand, competitors, changedAt, await loadCommonWords(ctx, db, orgId));
}
