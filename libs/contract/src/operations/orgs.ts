import { z } from 'zod';
import { operation } from '../operation.ts';
import { noParams, noQuery, OrgParams, PageQuery } from '../parameters.ts';
import { Organisation, OrganisationDetail } from '../resources/organisation.ts';
import { text } from '../scalars.ts';

export const listOrgs = operation({
  id: 'listOrgs',
  service: 'gateway',
  method: 'GET',
  path: '/orgs',
  summary: 'List organisations',
  description:
    'One organisation for an organisation key, every linked organisation for a partner key. Ordered by `id`. An empty page for a partner without links.',
  params: noParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: Organisation },
});

export const getOrg = operation({
  id: 'getOrg',
  service: 'catalog',
  method: 'GET',
  path: '/orgs/{orgId}',
  summary: 'Read an organisation',
  description:
    'The tier, its limits and how much of each is used. Prompts and countries count active prompts of brands that are not archived. The counts of scans are null while scans are unavailable.',
  params: OrgParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OrganisationDetail },
});

export const updateLink = operation({
  id: 'updateLink',
  service: 'gateway',
  method: 'PATCH',
  path: '/orgs/{orgId}/link',
  summary: 'Update a link',
  description:
    'Replaces the reference of this link; `null` removes it. It appears as `external_ref` of the organisation and in webhooks. Other partners have references of their own.',
  partnerOnly: true,
  params: OrgParams,
  query: noQuery,
  body: z.object({
    external_ref: text(1, 255)
      .nullable()
      .describe('Your own id of the organisation; `null` removes it. It need not be unique.'),
  }),
  success: { status: 200, kind: 'item', data: Organisation },
});
