import { maxWindowDays, operatorDeleteBrandUnits, resolveWindow } from '@bv/contract';
import { route } from '@bv/http';
import { deleteImportedUnits } from '../commands/delete-imported-units.ts';
import type { Context } from '../context.ts';
import { findOwnBrandOfAnyOrg } from './find-own-brand.ts';
import { todayOf } from './walk.ts';

export const operatorDeleteBrandUnitsRoute = (ctx: Context) =>
  route(operatorDeleteBrandUnits, async ({ params, body: { from, to } }) => {
    const brand = await findOwnBrandOfAnyOrg(ctx, params.brandId);
    const window = resolveWindow({ from, to }, todayOf(ctx), maxWindowDays.standard);
    try {
      const { deleted, eventId } = await deleteImportedUnits(ctx.pool, brand.id, window);
      return { data: { deleted }, eventIds: eventId === undefined ? [] : [eventId] };
    } finally {
      // Days deleted before a failure stay deleted.
      ctx.onPublished();
    }
  });
