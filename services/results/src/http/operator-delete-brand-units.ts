import { maxWindowDays, operatorDeleteBrandUnits, resolveWindow } from '@bv/contract';
import { route } from '@bv/http';
import { deleteImportedUnits } from '../commands/delete-imported-units.ts';
import type { Context } from '../context.ts';
import { findOwnBrandForOperator } from './find-own-brand.ts';
import { getToday } from './pagination.ts';

export const operatorDeleteBrandUnitsRoute = (ctx: Context) =>
  route(operatorDeleteBrandUnits, async ({ params, body: { from, to } }) => {
    const brand = await findOwnBrandForOperator(ctx, params.brandId);
    const window = resolveWindow({ from, to }, getToday(ctx), maxWindowDays.standard);
    const { deleted, eventId } = await deleteImportedUnits(ctx.pool, brand.id, window);
    return { data: { deleted }, eventIds: eventId === undefined ? [] : [eventId] };
  });
