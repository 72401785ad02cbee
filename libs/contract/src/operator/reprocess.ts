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
    'Queues a job for each own brand, archived ones included. A brand with an open job keeps it. Jobs that clients requested run first, and a request of a client takes over a job that has not started. Nothing is read of deleted organisations. Sends no webhooks.',
  params: noParams,
  query: noQuery,
  body: z
    .strictObject({
      org_id: PathId.optional().describe('Organisation.'),
      all: z.literal(true).optional().describe('All organisations; required without `org_id`.'),
      from: WrittenDate.optional().describe('First day (UTC), included. Default: 89 days before `to`.'),
      to: WrittenDate.optional().describe(
        'Last day (UTC), included, at most 366 days after `from`. Default: today.',
      ),
    })
    .refine(({ org_id, all }) => (org_id === undefined) === (all === true), {
      message: 'Either org_id or all is required',
      params: { code: 'invalid_value', path: 'org_id' },
    }),
  success: {
    status: 202,
    kind: 'item',
    data: z
      .strictObject({
        queued: Count.describe('Brands with a new job.'),
        in_progress: Count.describe('Brands that keep an open job.'),
      })
      .meta({ id: 'QueuedReprocessJobs' }),
  },
});
