import { z } from 'zod';
import { operatorOperation } from '../operation.ts';
import { noParams, noQuery, OrgParams, PageQuery } from '../parameters.ts';
import { Deleted } from '../resources/deleted.ts';
import { LinkScope } from '../resources/organisation.ts';
import { text } from '../scalars.ts';
import {
  ApiKey,
  KeyInput,
  MintedApiKey,
  NamedPartnerLink,
  Partner,
  PartnerDetail,
  PartnerIdParams,
  PartnerLink,
  PartnerStatus,
} from './resources.ts';

export const operatorCreatePartner = operatorOperation({
  id: 'operatorCreatePartner',
  service: 'gateway',
  method: 'POST',
  path: '/partners',
  summary: 'Create a partner account',
  description: 'The account is active and has neither keys nor links.',
  params: noParams,
  query: noQuery,
  body: z.object({ name: text(1, 200, { trim: true }).describe('Name of the partner.') }),
  success: { status: 201, kind: 'item', data: Partner },
});

export const operatorListPartners = operatorOperation({
  id: 'operatorListPartners',
  service: 'gateway',
  method: 'GET',
  path: '/partners',
  summary: 'List partner accounts by id',
  description: 'Active and suspended accounts. Ordered by `id`.',
  params: noParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: Partner },
});

export const operatorGetPartner = operatorOperation({
  id: 'operatorGetPartner',
  service: 'gateway',
  method: 'GET',
  path: '/partners/{partnerId}',
  summary: 'Read a partner account',
  description: 'Its status, and how many links and usable keys it has.',
  params: PartnerIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: PartnerDetail },
});

export const operatorUpdatePartner = operatorOperation({
  id: 'operatorUpdatePartner',
  service: 'gateway',
  method: 'PATCH',
  path: '/partners/{partnerId}',
  summary: 'Suspend a partner account or make it active again',
  description:
    'Keys of a suspended partner are refused from their next request. Keys, links and endpoints stay stored.',
  params: PartnerIdParams,
  query: noQuery,
  body: z.object({
    status: PartnerStatus.describe(
      '`active`, or `suspended`: its keys are refused until it is active again.',
    ),
  }),
  success: { status: 200, kind: 'item', data: Partner },
});

export const operatorCreatePartnerKey = operatorOperation({
  id: 'operatorCreatePartnerKey',
  service: 'gateway',
  method: 'POST',
  path: '/partners/{partnerId}/keys',
  summary: 'Mint a key of a partner account; the whole key is shown once',
  description: 'A partner may have any number of keys. The response is the only one with the whole key.',
  params: PartnerIdParams,
  query: noQuery,
  body: KeyInput,
  success: { status: 201, kind: 'item', data: MintedApiKey },
});

export const operatorListPartnerKeys = operatorOperation({
  id: 'operatorListPartnerKeys',
  service: 'gateway',
  method: 'GET',
  path: '/partners/{partnerId}/keys',
  summary: 'List the keys of a partner account',
  description: 'Active, expired and revoked keys, without their secrets. Ordered by `id`.',
  params: PartnerIdParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: ApiKey },
});

export const operatorListPartnerLinks = operatorOperation({
  id: 'operatorListPartnerLinks',
  service: 'gateway',
  method: 'GET',
  path: '/partners/{partnerId}/links',
  summary: 'List the links of a partner account',
  description: 'Ordered by `org_id`. Revoked links and deleted organisations are omitted.',
  params: PartnerIdParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: NamedPartnerLink },
});

export const operatorListOrgLinks = operatorOperation({
  id: 'operatorListOrgLinks',
  service: 'gateway',
  method: 'GET',
  path: '/orgs/{orgId}/links',
  summary: 'List the partner accounts that are linked to an organisation',
  description: 'Ordered by `partner_id`. Revoked links are omitted, links of suspended partners are not.',
  params: OrgParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: NamedPartnerLink },
});

const LinkParams = PartnerIdParams.extend(OrgParams.shape);

export const operatorPutLink = operatorOperation({
  id: 'operatorPutLink',
  service: 'gateway',
  method: 'PUT',
  path: '/partners/{partnerId}/links/{orgId}',
  summary: 'Link a partner account to an organisation, or change the link',
  description:
    'On an existing link an omitted `external_ref` stays as it is. The partner reaches the organisation from its next request.',
  params: LinkParams,
  query: noQuery,
  body: z.object({
    scope: LinkScope.exclude(['owner']).describe('Whether the partner may also write.'),
    external_ref: text(1, 255)
      .nullable()
      .optional()
      .describe("The partner's own reference of the organisation."),
  }),
  success: { status: 200, kind: 'item', data: PartnerLink },
});

export const operatorDeleteLink = operatorOperation({
  id: 'operatorDeleteLink',
  service: 'gateway',
  method: 'DELETE',
  path: '/partners/{partnerId}/links/{orgId}',
  summary: 'Revoke the link of a partner account to an organisation',
  description:
    'From its next request, the partner cannot reach the organisation. No more events of it are sent.',
  params: LinkParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Deleted },
});
