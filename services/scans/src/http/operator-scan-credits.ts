import { ApiError, operatorAddScanCredits, validationError } from '@bv/contract';
import { callRpc, findOrgRpc } from '@bv/events';
import { type Route, route, processOnce } from '@bv/http';
import { lockAllowance, updateAllowanceCredits } from '../db/allowances.ts';
import type { Context } from '../context.ts';
import { toUtcMonth } from '../domain/calendar.ts';

/** Below the maximum of the column's type. */
const maxCredits = 2_000_000_000;

export function operatorAddScanCreditsRoute(ctx: Context): Route {
  return route(operatorAddScanCredits, async ({ params: { orgId }, body: { amount }, caller }) => {
    const org = await callRpc(ctx.nats, findOrgRpc, { id: orgId });
    if (org === null || org.data.deleted_at !== null) throw new ApiError('not_found');
    return processOnce(ctx.pool, caller, operatorAddScanCredits, async (tx) => {
      const { credits } = await lockAllowance(tx, orgId, toUtcMonth(ctx.now()));
      if (credits + amount > maxCredits) {
        const message = `Too big: an organisation holds at most ${maxCredits} credits`;
        throw validationError([{ path: 'amount', code: 'too_big', message }]);
      }
      const allowance = await updateAllowanceCredits(tx, orgId, amount);
      return { data: { scan_credits: allowance.credits } };
    });
  });
}
