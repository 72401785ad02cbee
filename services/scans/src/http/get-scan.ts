import { ApiError, getScan } from '@bv/contract';
import { route } from '@bv/http';
import type { Context } from '../context.ts';
import { findJob } from '../db/jobs.ts';
import { presentJob } from './present.ts';

export const getScanRoute = ({ pool }: Context) =>
  route(getScan, async ({ params: { jobId, brandId }, caller }) => {
    const job = await findJob(pool, { id: jobId, brandId, orgId: caller.orgId });
    if (job === undefined) throw new ApiError('not_found');
    return { data: presentJob(job) };
  });
