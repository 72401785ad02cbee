import { z } from 'zod';
import { operatorOperation } from '../operation.ts';
import { noQuery, OrgParams } from '../parameters.ts';
import { Count, Timestamp, Uuid } from '../scalars.ts';

export const OrgPurgeRequest = z
  .strictObject({
    org_id: Uuid.describe('Id of the organisation.'),
    requested_at: Timestamp.describe('Time of the first request.'),
  })
  .meta({ id: 'OrgPurgeRequest' });

export const ServicePurge = z
  .strictObject({
    service: z.string().describe('Name of the service.'),
    state: z
      .enum(['no_response', 'not_requested', 'running', 'completed'])
      .describe(
        '`no_response`: no process of the service replied in time. `running`: rows are left, or work of the organisation has not ended.',
      ),
    completed_at: Timestamp.nullable().describe('Time at which no row was left for the first time.'),
  })
  .meta({ id: 'ServicePurge' });
export type ServicePurge = z.infer<typeof ServicePurge>;

const PurgedTable = z
  .strictObject({
    service: z.string().describe('Name of the service.'),
    table: z.string().describe('Name of the table; `redis_counters` are counters of requests in Redis.'),
    removed: Count.describe('Rows that were deleted.'),
    remaining: Count.describe('Rows that are left; 100,000 means at least that.'),
  })
  .meta({ id: 'PurgedTable' });
export type PurgedTable = z.infer<typeof PurgedTable>;

export const OrgPurge = z
  .strictObject({
    org_id: Uuid.describe('Id of the organisation.'),
    state: z
      .enum(['not_requested', 'running', 'completed'])
      .describe('`completed`: every service has deleted all rows of the organisation.'),
    services: z.array(ServicePurge).describe('All five services.'),
    tables: z.array(PurgedTable).describe('Tables of the services that replied.'),
  })
  .meta({ id: 'OrgPurge' });

export const operatorPurgeOrg = operatorOperation({
  id: 'operatorPurgeOrg',
  service: 'catalog',
  method: 'POST',
  path: '/orgs/{orgId}/purge',
  summary: 'Delete the data of a deleted organisation in all services',
  description:
    'Only after operatorDeleteOrg. Each service deletes its rows in the background, and those that late events bring later. operatorGetOrgPurge reports them. It cannot be undone; a repeated request changes nothing.',
  params: OrgParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OrgPurgeRequest },
  errors: ['conflict'],
});

export const operatorGetOrgPurge = operatorOperation({
  id: 'operatorGetOrgPurge',
  service: 'gateway',
  method: 'GET',
  path: '/orgs/{orgId}/purge',
  summary: 'Report what each service has deleted of an organisation, and what is left',
  description:
    'One process of each service replies. Rows that are left are counted at the time of the request.',
  params: OrgParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OrgPurge },
});
