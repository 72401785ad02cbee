import { randomUUID } from 'node:crypto';
import { ApiError, getScan, operatorRunScan, requestScan, type ScanJob, validationError } from '@bv/contract';
import { callRpc, fetchScanPlan, findBrandRpc, type ScanPlan } from '@bv/events';
import { type Caller, findOperation, type Route, route, processOnce } from '@bv/http';
import type { Transaction } from '@bv/postgres';
import { queueScan, type ScanOrder } from '../commands/queue-scan.ts';
import type { Context } from '../context.ts';
import { findJob, type JobRow } from '../db/jobs.ts';

export function requestScanRoute(ctx: Context): Route {
  return route(requestScan, async ({ params: { orgId, brandId }, caller, idempotencyKey }) => {
    // A retry gets the stored response, whatever the state of the brand is now.
    const order = (await isReplay(ctx, caller))
      ? undefined
      : await planScan(ctx, { orgId, brandId, idempotencyKey });
    return processOnce(ctx.pool, caller, requestScan, (tx) => {
      tx.onCommit(ctx.wakeWorker);
      return queue(tx, order);
    });
  });
}

async function isReplay({ pool }: Context, { operationId }: Caller): Promise<boolean> {
  return operationId !== null && (await findOperation(pool, operationId)) !== undefined;
}

type Request = { orgId: string; brandId: string; idempotencyKey: string | null };

/** Requests the plan before a transaction is open. */
async function planScan(ctx: Context, { orgId, brandId, idempotencyKey }: Request): Promise<ScanOrder> {
  const plan = await requestScanPlan(ctx, orgId, brandId);
  return { plan, trigger: 'manual', idempotencyKey: idempotencyKey ?? randomUUID(), now: ctx.now() };
}

/** The current scan plan of an own brand. Throws `404 not_found` or the validation error `own_brand_only`. */
export async function requestScanPlan({ nats }: Context, orgId: string, brandId: string): Promise<ScanPlan> {
  const plan = await fetchScanPlan(nats, { org_id: orgId, brand_id: brandId });
  if (plan === null) throw new ApiError('not_found');
  if (plan.brand.is_own) return plan;
  throw validationError([
    { path: 'brandId', code: 'own_brand_only', message: 'The operation is for own brands only' },
  ]);
}

async function queue(tx: Transaction, order: ScanOrder | undefined) {
  if (order === undefined) throw new Error('the stored response is missing');
  const queued = await queueScan(tx, order);
  if (queued instanceof ApiError) throw queued;
  const { id: job_id, idempotency_key } = queued.job;
  return { data: { job_id, idempotency_key, status: 'queued' as const } };
}

export function operatorRunScanRoute(ctx: Context): Route {
  return route(operatorRunScan, async ({ params: { brandId }, caller }) => {
    const brand = await callRpc(ctx.nats, findBrandRpc, { id: brandId });
    if (brand === null) throw new ApiError('not_found');
    const plan = await requestScanPlan(ctx, brand.data.org_id, brandId);
    const order: ScanOrder = { plan, trigger: 'scheduled', idempotencyKey: randomUUID(), now: ctx.now() };
    return processOnce(ctx.pool, caller, operatorRunScan, async (tx) => {
      tx.onCommit(ctx.wakeWorker);
      const queued = await queueScan(tx, order);
      if (queued instanceof ApiError) throw queued;
      return { data: presentJob(queued.job), eventIds: queued.eventIds };
    });
  });
}

export function getScanRoute({ pool }: Context): Route {
  return route(getScan, async ({ params: { orgId, brandId, jobId } }) => {
    const job = await findJob(pool, { id: jobId, brandId, orgId });
    if (job === undefined) throw new ApiError('not_found');
    return { data: presentJob(job) };
  });
}

function presentJob(job: JobRow): ScanJob {
  const { brand_id, status, trigger, run_date, idempotency_key, queued_at, started_at, completed_at } = job;
  const units = {
    total: job.units_total,
    answered: job.units_answered,
    no_answer: job.units_no_answer,
    failed: job.units_failed,
  };
  return {
    job_id: job.id,
    brand_id,
    status,
    trigger,
    run_date,
    idempotency_key,
    units,
    queued_at,
    started_at,
    completed_at,
  };
}
