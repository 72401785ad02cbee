import { ApiError, operatorReprocessBrands } from '@bv/contract';
import { callRpc, findOrgRpc } from '@bv/events';
import { processOnce, type Route, route } from '@bv/http';
import type { Context } from '../context.ts';
import { insertReprocessJobs } from '../db/reprocess-jobs.ts';
import { resolveReprocessWindow } from './reprocess.ts';

export function operatorReprocessBrandsRoute(ctx: Context): Route {
  return route(operatorReprocessBrands, async ({ body, caller, requestId, log }) => {
    const { org_id: orgId = null } = body;
    const window = resolveReprocessWindow(ctx, body);
    if (orgId !== null) await checkOrg(ctx, orgId);
    return processOnce(ctx.pool, caller, operatorReprocessBrands, async (tx) => {
      const data = await insertReprocessJobs(tx, { orgId, window, requestId });
      tx.onCommit(ctx.wakeWorker);
      tx.onCommit(() => log.info({ orgId, ...window, ...data }, 'reprocess jobs queued'));
      return { data };
    });
  });
}

async function checkOrg({ nats }: Context, id: string): Promise<void> {
  const org = await callRpc(nats, findOrgRpc, { id });
  if (org === null || org.data.deleted_at !== null) throw new ApiError('not_found');
}
