import { ApiError, getBrand as operation } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { findBrandDetail } from '../db/brand-detail.ts';
import { presentBrandDetail } from './present.ts';

export const getBrandRoute = ({ pool }: Context) =>
  route(operation, async ({ params: { orgId, brandId } }) => {
    const detail = await findBrandDetail(pool, orgId, brandId);
    if (!detail) throw new ApiError('not_found');
    return { data: presentBrandDetail(detail.brand, detail.competitors, detail.changedAt) };
  });
