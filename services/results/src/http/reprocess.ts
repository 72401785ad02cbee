import { ApiError, getReprocess, reprocessBrand } from '@bv/contract';
import { type Route, route } from '@bv/http';
import type { Context } from '../context.ts';
import { findOwnBrand } from './projections.ts';

export function reprocessBrandRoute(ctx: Context): Route {
  return route(reprocessBrand, async ({ params }) => {
    await findOwnBrand(ctx, params);
    throw new ApiError('api_unavailable');
  });
}

export function getReprocessRoute(ctx: Context): Route {
  return route(getReprocess, async ({ params }) => {
    await findOwnBrand(ctx, params);
    throw new ApiError('not_found');
  });
}
