import {
  ApiError,
  type DateWindow,
  getReprocess,
  maxWindowDays,
  reprocessBrand,
  type ReprocessJob,
  resolveWindow,
} from '@bv/contract';
import { processOnce, type Route, route } from '@bv/http';
import { queueReprocess } from '../commands/queue-reprocess.ts';
import { type Context, getToday } from '../context.ts';
import { findReprocessJob, type ReprocessJobRow } from '../db/reprocess-jobs.ts';
import { findOwnBrand } from './projections.ts';

/** Today is the 90th. */
const defaultDaysBefore = 89;

/** The window of a request, today and the 89 days before by default. */
export const resolveReprocessWindow = (
  ctx: Context,
  sent: { from?: string | undefined; to?: string | undefined },
): DateWindow => resolveWindow(sent, getToday(ctx), maxWindowDays.standard, defaultDaysBefore);

export function reprocessBrandRoute(ctx: Context): Route {
  return route(reprocessBrand, async ({ params, body, caller, requestId, log }) => {
    const brand = await findOwnBrand(ctx, params);
    const window = resolveReprocessWindow(ctx, body ?? {});
    return processOnce(ctx.pool, caller, reprocessBrand, async (tx) => {
      const job = await queueReprocess(tx, { orgId: brand.org_id, brandId: brand.id, window, requestId });
      tx.onCommit(ctx.wakeWorker);
      tx.onCommit(() => log.info({ jobId: job.id, brandId: brand.id, ...window }, 'reprocess job queued'));
      return { data: present(job) };
    });
  });
}

export function getReprocessRoute(ctx: Context): Route {
  return route(getReprocess, async ({ params: { orgId, brandId, jobId } }) => {
    const job = await findReprocessJob(ctx.pool, { id: jobId, orgId, brandId });
    if (job === undefined) throw new ApiError('not_found');
    return { data: present(job) };
  });
}

function present(job: ReprocessJobRow): ReprocessJob {
  return {
    job_id: job.id,
    brand_id: job.brand_id,
    status: job.status,
    from: job.from_date,
    to: job.to_date,
    units: { total: job.units_total, done: job.units_done, changed: job.units_changed },
    queued_at: job.queued_at,
    started_at: job.started_at,
    completed_at: job.completed_at,
  };
}
