import { z } from 'zod';
import { operatorOperation } from '../operation.ts';
import { BooleanFilter, MonthFilter, noParams, noQuery, page, resourceId } from '../parameters.ts';
import { Deleted } from '../resources/deleted.ts';
import { text, Uuid } from '../scalars.ts';
import { ApiKey, KeyUsage } from './resources.ts';

const KeyIdParams = z.object({ keyId: resourceId('key') });

export const OperatorKey = z
  .strictObject({
    ...ApiKey.shape,
    owner_kind: z
      .enum(['organisation', 'partner'])
      .describe('Whether the key belongs to one organisation or to a partner.'),
    owner_id: Uuid.describe('Id of the organisation or the partner.'),
    owner_name: z.string().describe('Name of the organisation or the partner.'),
  })
  .meta({ id: 'OperatorKey' });

export const operatorGetKey = operatorOperation({
  id: 'operatorGetKey',
  service: 'gateway',
  method: 'GET',
  path: '/keys/{keyId}',
  summary: 'Read a key with its owner, without its secret',
  description: 'Active, expired and revoked keys.',
  params: KeyIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OperatorKey },
});

export const operatorRevokeKey = operatorOperation({
  id: 'operatorRevokeKey',
  service: 'gateway',
  method: 'DELETE',
  path: '/keys/{keyId}',
  summary: 'Revoke a key; it is refused from its next request',
  description: 'A revoked key cannot be restored.',
  params: KeyIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Deleted },
});

export const operatorListUsage = operatorOperation({
  id: 'operatorListUsage',
  service: 'gateway',
  method: 'GET',
  path: '/usage',
  summary: 'List the use of a month, a row a key',
  description:
    'Requests that were charged to each key in a UTC month, with its quota, names of the key and its owner. Ordered by `key_id`. Keys without a request have a row too, unless `used` is `true`.',
  params: noParams,
  query: z.object({
    ...page,
    month: MonthFilter,
    org_id: resourceId('organisation').optional().describe('Only keys of this organisation.'),
    partner_id: resourceId('partner').optional().describe('Only keys of this partner.'),
    key_name: text(1, 200, { trim: true })
      .optional()
      .describe('Only keys with exactly this name.')
      .meta({ examples: ['Production'] }),
    used: BooleanFilter.describe('`true`: only keys with a request in the month.'),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: KeyUsage },
});
