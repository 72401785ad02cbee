import { randomUUID } from 'node:crypto';
import { ApiError, requestScan as operation } from '@bv/contract';
import { type Caller, findOperation, route, runOnce } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { checkPlan, queueScan, type ScanOrder } from '../commands/queue-scan.ts';
import type { Context } from '../context.ts';
import { requestScanPlan } from './catalog-client.ts';

export const requestScanRoute = (ctx: Context) =>
  route(operation, async ({ params: { brandId }, caller, idempotencyKey }) => {
    // A retry gets the stored response, whatever the state of the brand is now.
    const order = (await isReplay(ctx, caller))
      ? undefined
      : await planScan(ctx, { orgId: caller.orgId, brandId, idempotencyKey });
    return runOnce(ctx.pool, caller, operation, (tx) => {
      tx.onCommit(ctx.wakeWorker);
      return queue(tx, order);
    });
  });

async function isReplay({ pool }: Context, { operationId }: Caller): Promise<boolean> {
  return operationId !== null && (await findOperation(pool, operationId)) !== undefined;
}

type Request = { orgId: string | null; brandId: string; idempotencyKey: string | null };

/** Requests the plan before a transaction is open. Throws the refusals in the order the API documents. */
async function planScan(ctx: Context, { orgId, brandId, idempotencyKey }: Request): Promise<ScanOrder> {
  if (orgId === null) throw new ApiError('not_found');
  const plan = await requestScanPlan(ctx, orgId, brandId);
  if (!plan.org.on_demand_scans) throw new ApiError('tier_not_entitled');
  checkPlan(plan);
  return { plan, trigger: 'manual', idempotencyKey: idempotencyKey ?? randomUUID(), now: ctx.now() };
}

async function queue(tx: Transaction, order: ScanOrder | undefined) {
  if (order === undefined) throw new Error('the stored response is missing');
  const queued = await queueScan(tx, order);
  if (queued instanceof ApiError) throw queued;
  const { id: job_id, idempotency_key } = queued.job;
  return { data: { job_id, idempotency_key, status: 'queued' as const } };
}
