import { z } from 'zod';
import { operation } from '../operation.ts';
import { noQuery, OwnBrandParams, resourceId, WrittenDate } from '../parameters.ts';
import { ReprocessJob } from '../resources/reprocess.ts';

export const reprocessBrand = operation({
  id: 'reprocessBrand',
  service: 'results',
  method: 'POST',
  path: '/orgs/{orgId}/brands/{brandId}/reprocess-requests',
  summary: 'Read stored answers again',
  description:
    'Queues a job and returns it; `getReprocess` reads its progress. A brand has one job at a time. The job uses the current name, aliases, match rules and competitors. It replaces the brand rows, scores, shares and source figures of the window, one day at a time. Answers and cited sources do not change, and no webhook is sent. Archived brands accept it.',
  params: OwnBrandParams,
  query: noQuery,
  body: z
    .object({
      from: WrittenDate.optional().describe('First day (UTC), included. Default: 89 days before `to`.'),
      to: WrittenDate.optional().describe(
        'Last day (UTC), included, at most 366 days after `from`. Default: today.',
      ),
    })
    .optional(),
  success: { status: 202, kind: 'item', data: ReprocessJob },
  errors: ['reprocess_in_progress'],
});

export const getReprocess = operation({
  id: 'getReprocess',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/reprocess-requests/{jobId}',
  summary: 'Read a reprocess job',
  description:
    '`status` goes from `queued` to `running`, then `completed` or `failed`. A day is replaced at once, so no list shows half a day. Poll every few seconds. Jobs that have ended are kept for 30 days.',
  params: OwnBrandParams.extend({ jobId: resourceId('reprocess job') }),
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: ReprocessJob },
});
