import { z } from 'zod';
import { operatorOperation } from '../operation.ts';
import { noParams, noQuery } from '../parameters.ts';
import { Count } from '../scalars.ts';

/** A backlog of a service: what waits, and how long the oldest of it has waited. */
export const Queue = z
  .strictObject({
    name: z.string().describe('What waits, such as `outbox` or `deliveries`.'),
    waiting: Count.describe('Rows or messages that wait, counted up to 10,000.'),
    oldest_seconds: z
      .number()
      .min(0)
      .nullable()
      .describe('Seconds since the oldest of them became due; null if nothing waits or it is not known.'),
  })
  .meta({ id: 'Queue' });
export type Queue = z.infer<typeof Queue>;

export const ServiceStatus = z
  .strictObject({
    service: z.string().describe('Name of the service.'),
    state: z
      .enum(['ok', 'no_response'])
      .describe('`no_response`: no process of the service replied in time; the other fields are empty.'),
    migration: z.string().nullable().describe('The last database migration that was applied.'),
    dead_events: Count.nullable().describe('Dead-letter events, counted up to 10,000.'),
    queues: z.array(Queue).describe('Backlogs of the service.'),
  })
  .meta({ id: 'ServiceStatus' });
export type ServiceStatus = z.infer<typeof ServiceStatus>;

export const operatorGetStatus = operatorOperation({
  id: 'operatorGetStatus',
  service: 'gateway',
  method: 'GET',
  path: '/status',
  summary: 'Show the services with their migrations and backlogs',
  description:
    'One process of each service replies. `outbox` counts events that are not published yet, `events of <service>` those that a consumer has not handled.',
  params: noParams,
  query: noQuery,
  body: null,
  success: {
    status: 200,
    kind: 'item',
    data: z
      .strictObject({ services: z.array(ServiceStatus).describe('All five services, by name.') })
      .meta({ id: 'SystemStatus' }),
  },
});
