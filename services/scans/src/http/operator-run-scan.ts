import { randomUUID } from 'node:crypto';
import { ApiError, operatorRunScan as operation } from '@bv/contract';
import { findBrandRpc } from '@bv/events';
import { route, runOnce } from '@bv/http';
import { checkPlan, queueScan, type ScanOrder } from '../commands/queue-scan.ts';
import type { Context } from '../context.ts';
import { callCatalog, requestScanPlan } from './catalog-client.ts';
import { presentJob } from './present.ts';

export const operatorRunScanRoute = (ctx: Context) =>
  route(operation, async ({ params: { brandId }, caller }) => {
    const brand = await callCatalog(ctx, findBrandRpc, { id: brandId });
    if (brand === null) throw new ApiError('not_found');
    const plan = await requestScanPlan(ctx, brand.data.org_id, brandId);
    checkPlan(plan);
    const order: ScanOrder = { plan, trigger: 'scheduled', idempotencyKey: randomUUID(), now: ctx.now() };
    return runOnce(ctx.pool, caller, operation, async (tx) => {
      tx.onCommit(ctx.wakeWorker);
      const queued = await queueScan(tx, order);
      if (queued instanceof ApiError) throw queued;
      return { data: presentJob(queued.job), eventIds: queued.eventIds };
    });
  });
