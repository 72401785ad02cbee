import { randomUUID } from 'node:crypto';
import { ApiError, requestScan as operation } from '@bv/contract';
import { type Caller, findOperation, route, runOnce } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { checkPlan, queueScan, type ScanOrder } from '../commands/queue-scan.ts';
import type { Context } from '../context.ts';
import { askScanPlan } from './ask-catalog.ts';

export const requestScanRoute = (ctx: Context) =>
  route(operation, async ({ params: { brandId }, caller, idempotencyKey }) => {
    // A retry of a scan that was queued gets its answer, whatever has become of the brand since.
    const order = (await isAnswered(ctx, caller))
      ? undefined
      : await planScan(ctx, { orgId: caller.orgId, brandId, idempotencyKey });
    const answer = await runOnce(ctx.pool, caller, operation, (tx) => queue(tx, order));
    ctx.onQueued();
    return answer;
  });

async function isAnswered({ pool }: Context, { operationId }: Caller): Promise<boolean> {
  return operationId !== null && (await findOperation(pool, operationId)) !== undefined;
}

type Request = { orgId: string | null; brandId: string; idempotencyKey: string | null };

/** Asks catalog before any transaction is open, and refuses in the order the API promises. */
async function planScan(ctx: Context, { orgId, brandId, idempotencyKey }: Request): Promise<ScanOrder> {
  if (orgId === null) throw new ApiError('not_found');
  const plan = await askScanPlan(ctx, orgId, brandId);
  if (!plan.org.on_demand_scans) throw new ApiError('tier_not_entitled');
  checkPlan(plan);
  return { plan, trigger: 'manual', idempotencyKey: idempotencyKey ?? randomUUID(), now: ctx.now() };
}

async function queue(tx: Transaction, order: ScanOrder | undefined) {
  if (order === undefined) throw new Error('the recorded answer has gone');
  const queued = await queueScan(tx, order);
  if (queued instanceof ApiError) throw queued;
  const { id: job_id, idempotency_key } = queued.job;
  return { data: { job_id, idempotency_key, status: 'queued' as const } };
}
