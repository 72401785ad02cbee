import { z } from 'zod';
import { operatorOperation } from '../operation.ts';
import { MonthFilter, noParams, noQuery, OrgParams, page, PageQuery } from '../parameters.ts';
import { OrgAnswersUsage } from '../resources/organisation.ts';
import { Deleted } from '../resources/deleted.ts';
import { Count, text } from '../scalars.ts';
import {
  ApiKey,
  KeyInput,
  MintedApiKey,
  OperatorOrg,
  OperatorOrgDetail,
  Overrides,
  RetentionInput,
  Tier,
} from './resources.ts';

const Name = text(1, 200, { trim: true }).describe('Name of the organisation.');
const overridesText = 'Limits that replace those of the tier; null is unlimited.';
const retentionText = 'How long results are kept; null is the setting of the installation.';
const TierName = text(1, 50).describe('Name of a tier; operatorListTiers lists them.');

export const operatorListTiers = operatorOperation({
  id: 'operatorListTiers',
  service: 'catalog',
  method: 'GET',
  path: '/tiers',
  summary: 'List the tiers with their limits',
  description: 'Ordered by `name`. `overrides` of an organisation replace single limits of its tier.',
  params: noParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: Tier },
});

export const operatorCreateOrg = operatorOperation({
  id: 'operatorCreateOrg',
  service: 'catalog',
  method: 'POST',
  path: '/orgs',
  summary: 'Create an organisation',
  description: '`tier` is the name of a tier of the installation. `overrides` replace single limits of it.',
  params: noParams,
  query: noQuery,
  body: z.object({
    name: Name,
    tier: TierName,
    overrides: Overrides.optional().describe(overridesText),
    retention: RetentionInput.optional().describe(retentionText),
  }),
  success: { status: 201, kind: 'item', data: OperatorOrg },
});

export const operatorListOrgs = operatorOperation({
  id: 'operatorListOrgs',
  service: 'catalog',
  method: 'GET',
  path: '/orgs',
  summary: 'List organisations by id',
  description: 'Ordered by `id`. Deleted organisations are omitted.',
  params: noParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: OperatorOrg },
});

export const operatorListAnswers = operatorOperation({
  id: 'operatorListAnswers',
  service: 'catalog',
  method: 'GET',
  path: '/answers',
  summary: 'List the units asked in a month, a row an organisation',
  description:
    'Units and their cost at the prices of their time, of every organisation that is not deleted. Ordered by `org_id`.',
  params: noParams,
  query: z.object({ ...page, month: MonthFilter }),
  body: null,
  success: { status: 200, kind: 'list', data: OrgAnswersUsage },
});

export const operatorGetOrg = operatorOperation({
  id: 'operatorGetOrg',
  service: 'catalog',
  method: 'GET',
  path: '/orgs/{orgId}',
  summary: 'Read an organisation',
  description: 'The tier, the overrides, and how much of each limit is used.',
  params: OrgParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OperatorOrgDetail },
});

export const operatorUpdateOrg = operatorOperation({
  id: 'operatorUpdateOrg',
  service: 'catalog',
  method: 'PATCH',
  path: '/orgs/{orgId}',
  summary: 'Change the name, the tier, the overrides or the retention of an organisation',
  description:
    'Omitted fields stay as they are; `overrides` replaces all stored overrides, `retention` both numbers of days. A lower limit removes nothing: it refuses further objects. What a shorter retention deletes cannot be restored.',
  params: OrgParams,
  query: noQuery,
  body: z
    .object({
      name: Name.optional(),
      tier: TierName.optional(),
      overrides: Overrides.optional().describe(overridesText),
      retention: RetentionInput.optional().describe(retentionText),
    })
    .refine((patch) => Object.values(patch).some((value) => value !== undefined), {
      message: 'At least one of name, tier, overrides, retention is required',
      params: { code: 'empty_patch' },
    }),
  success: { status: 200, kind: 'item', data: OperatorOrg },
});

export const operatorDeleteOrg = operatorOperation({
  id: 'operatorDeleteOrg',
  service: 'catalog',
  method: 'DELETE',
  path: '/orgs/{orgId}',
  summary: 'Delete an organisation; its keys are refused from then on',
  description: 'Its brands are no longer scanned, and its links and webhooks end. It cannot be undone.',
  params: OrgParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Deleted },
});

export const operatorAddScanCredits = operatorOperation({
  id: 'operatorAddScanCredits',
  service: 'scans',
  method: 'POST',
  path: '/orgs/{orgId}/scan-credits',
  summary: 'Add scan credits',
  description:
    'Scan credits are used after the manual scans of the month. A repeated request adds them again.',
  params: OrgParams,
  query: noQuery,
  body: z.object({ amount: z.int().min(1).max(1_000_000).describe('Scan credits to add.') }),
  success: {
    status: 201,
    kind: 'item',
    data: z
      .strictObject({ scan_credits: Count.describe('Scan credits that the organisation has now.') })
      .meta({ id: 'ScanCredits' }),
  },
});

export const operatorCreateOrgKey = operatorOperation({
  id: 'operatorCreateOrgKey',
  service: 'gateway',
  method: 'POST',
  path: '/orgs/{orgId}/keys',
  summary: 'Mint a key of an organisation; the whole key is shown once',
  description:
    'An organisation has at most five active keys. The response is the only one with the whole key.',
  params: OrgParams,
  query: noQuery,
  body: KeyInput,
  success: { status: 201, kind: 'item', data: MintedApiKey },
  errors: ['key_limit_reached'],
});

export const operatorListOrgKeys = operatorOperation({
  id: 'operatorListOrgKeys',
  service: 'gateway',
  method: 'GET',
  path: '/orgs/{orgId}/keys',
  summary: 'List the keys of an organisation',
  description: 'Active, expired and revoked keys, without their secrets. Ordered by `id`.',
  params: OrgParams,
  query: PageQuery,
  body: null,
  success: { status: 200, kind: 'list', data: ApiKey },
});
