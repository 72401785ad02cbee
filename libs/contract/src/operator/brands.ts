import { z } from 'zod';
import { operatorOperation } from '../operation.ts';
import { BooleanFilter, noQuery, OrgParams, page, resourceId } from '../parameters.ts';
import { Brand, BrandDetail } from '../resources/brand.ts';
import { Prompt } from '../resources/prompt.ts';
import { Uuid } from '../scalars.ts';

const BrandIdParams = z.object({ brandId: resourceId('brand') });

const organisation = {
  org_id: Uuid.describe('Id of the organisation.'),
  org_name: z.string().describe('Name of the organisation.'),
};

export const OperatorBrand = z
  .strictObject({ ...Brand.shape, ...organisation })
  .meta({ id: 'OperatorBrand' });
export type OperatorBrand = z.infer<typeof OperatorBrand>;

export const OperatorBrandDetail = z
  .strictObject({ ...BrandDetail.shape, ...organisation })
  .meta({ id: 'OperatorBrandDetail' });

export const operatorListOrgBrands = operatorOperation({
  id: 'operatorListOrgBrands',
  service: 'catalog',
  method: 'GET',
  path: '/orgs/{orgId}/brands',
  summary: 'List the brands of an organisation, own and competitors, archived ones too',
  description: 'Ordered by `created_at`, then `id`. An archived brand has `sunset_at`.',
  params: OrgParams,
  query: z.object({
    ...page,
    is_own: BooleanFilter.describe('`true` for own brands only, `false` for competitors only.'),
    archived: BooleanFilter.describe('`true` for archived brands only, `false` for the others only.'),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: OperatorBrand },
});

export const operatorGetBrand = operatorOperation({
  id: 'operatorGetBrand',
  service: 'catalog',
  method: 'GET',
  path: '/brands/{brandId}',
  summary: 'Read a brand with its organisation and competitors',
  description: 'An own brand or a competitor, archived or not.',
  params: BrandIdParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OperatorBrandDetail },
});

export const OperatorPrompt = z
  .strictObject({
    ...Prompt.shape,
    brand_name: z.string().describe('Name of the own brand.'),
    ...organisation,
  })
  .meta({ id: 'OperatorPrompt' });
export type OperatorPrompt = z.infer<typeof OperatorPrompt>;

const promptQuery = z.object({
  ...page,
  active: BooleanFilter.describe('`true` for active prompts only, `false` for the others only.'),
});

export const operatorListOrgPrompts = operatorOperation({
  id: 'operatorListOrgPrompts',
  service: 'catalog',
  method: 'GET',
  path: '/orgs/{orgId}/prompts',
  summary: 'List the prompts of an organisation',
  description: 'Active and inactive ones, of all brands. Ordered by `created_at`, then `id`.',
  params: OrgParams,
  query: promptQuery,
  body: null,
  success: { status: 200, kind: 'list', data: OperatorPrompt },
});

export const operatorListBrandPrompts = operatorOperation({
  id: 'operatorListBrandPrompts',
  service: 'catalog',
  method: 'GET',
  path: '/brands/{brandId}/prompts',
  summary: 'List the prompts of a brand',
  description: 'Active and inactive ones. Ordered by `created_at`, then `id`. A competitor has none.',
  params: BrandIdParams,
  query: promptQuery,
  body: null,
  success: { status: 200, kind: 'list', data: OperatorPrompt },
});

export const operatorGetPrompt = operatorOperation({
  id: 'operatorGetPrompt',
  service: 'catalog',
  method: 'GET',
  path: '/prompts/{promptId}',
  summary: 'Read a prompt with its brand and organisation',
  description: 'An active or inactive prompt, also of an archived brand.',
  params: z.object({ promptId: resourceId('prompt') }),
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: OperatorPrompt },
});
