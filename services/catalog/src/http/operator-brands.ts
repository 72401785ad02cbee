import {
  ApiError,
  operatorArchiveBrand,
  operatorGetBrand,
  operatorListOrgBrands,
  operatorRestoreBrand,
} from '@bv/contract';
import { route } from '@bv/http';
import { buildPage, parsePage, startPosition, toCreatedAtPosition } from '@bv/pagination';
import { transaction } from '@bv/postgres';
import { archiveBrand, restoreBrand } from '../commands/brands.ts';
import type { Context } from '../context.ts';
import { type BrandRow, findBrand, listAllBrandRows } from '../db/brands.ts';
import { findOrg } from '../db/orgs.ts';
import { readBrandDetail } from './brands.ts';
import { presentBrand } from './present.ts';

export const operatorListOrgBrandsRoute = ({ pool, cursors }: Context) =>
  route(operatorListOrgBrands, async ({ params: { orgId }, query: { cursor, limit, ...filters } }) => {
    const list = { operation: operatorListOrgBrands.id, collection: [orgId], filters };
    const page = parsePage(cursors, list, { cursor, limit });
    const org = await findOrg(pool, orgId);
    if (!org) throw new ApiError('not_found');
    const { is_own, archived } = page.filters;
    const rows = await listAllBrandRows(pool, {
      orgId,
      isOwn: is_own === undefined ? null : is_own === 'true',
      archived: archived === undefined ? null : archived === 'true',
      after: toCreatedAtPosition(page) ?? startPosition,
      limit: limit + 1,
    });
    const toSortKey = ({ created_at, id }: BrandRow): string[] => [created_at, id];
    const present = (brand: BrandRow) => ({ ...presentBrand(brand), org_id: orgId, org_name: org.name });
    return buildPage(cursors, page, { rows, toSortKey, present });
  });

export const operatorGetBrandRoute = (ctx: Context) =>
  route(operatorGetBrand, async ({ params: { brandId } }) => {
    const brand = await findBrand(ctx.pool, brandId);
    const org = brand && (await findOrg(ctx.pool, brand.org_id));
    if (!org) throw new ApiError('not_found');
    const detail = await readBrandDetail(ctx, ctx.pool, { orgId: org.id, brandId });
    return { data: { ...detail, org_id: org.id, org_name: org.name } };
  });

export const operatorArchiveBrandRoute = ({ pool }: Context) =>
  route(operatorArchiveBrand, async ({ params: { brandId } }) => {
    const { brand, eventIds } = await transaction(pool, (tx) => archiveBrand(tx, brandId));
    return { data: presentBrand(brand), eventIds };
  });

export const operatorRestoreBrandRoute = ({ pool }: Context) =>
  route(operatorRestoreBrand, async ({ params: { brandId } }) => {
    const { brand, eventIds } = await transaction(pool, (tx) => restoreBrand(tx, brandId));
    return { data: presentBrand(brand), eventIds };
  });
