import { listBrands as operation } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { type BrandRow, listBrands } from '../db/brands.ts';
import { presentBrand } from './present.ts';
import { parsePosition, buildPage, parsePage } from './pagination.ts';

const getSortKey = (brand: BrandRow): string[] => [brand.created_at, brand.id];

export const listBrandsRoute = ({ pool, cursors }: Context) =>
  route(operation, async ({ params: { orgId }, query }) => {
    const { cursor, limit, is_own } = query;
    const sent = { operation: operation.id, collection: [orgId], filters: { is_own } };
    const { filters, sort } = parsePage(cursors, sent, cursor);
    const isOwn = filters.is_own === undefined ? null : filters.is_own === 'true';
    const rows = await listBrands(pool, { orgId, isOwn, after: parsePosition(sort), limit: limit + 1 });
    const page = buildPage(cursors, { ...sent, filters }, { rows, limit, getSortKey });
    return { data: page.rows.map(presentBrand), pagination: page.pagination };
  });
