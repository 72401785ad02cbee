import { z } from 'zod';
import { operatorOperation } from '../operation.ts';
import { noParams, noQuery, WrittenDate } from '../parameters.ts';
import { Count, PathId } from '../scalars.ts';

export const operatorReprocessBrands = operatorOperation({
  id: 'operatorReprocessBrands',
  service: 'results',
  method: 'POST',
  path: '/reprocess-requests',
  summary: 'Read the stored answers of own brands again with their current identity',
  description:
    'Queues a job for each own brand, archived ones included. A brand with an open job keeps it. Jobs that clients requested run first. Sends no webhooks.',
  params: noParams,
  query: noQuery,
  body: z.object({
    org_id: PathId.optional().describe('Organisation; all organisations when omitted.'),
    from: WrittenDate.optional().describe('First day (UTC), included. Default: 89 days before `to`.'),
    to: WrittenDate.optional().describe(
      'Last day (UTC), included, at most 366 days after `from`. Default: today.',
    ),
  }),
  success: {
    status: 202,
    kind: 'item',
    data: z.strictObject({
      queued: Count.describe('Brands with a new job.'),
      in_progress: Count.describe('Brands that keep an open job.'),
    }),
  },
});
