import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  integerFrom,
  MarketFilter,
  OwnBrandParams,
  page,
  PlatformFilter,
  windowQuery,
} from '../parameters.ts';
import { Coverage, CoverageSubject } from '../resources/coverage.ts';
import { DiscoveredBrand } from '../resources/discovered-brand.ts';
import { maxWindowDays } from '../window.ts';

const filters = {
  ...windowQuery(maxWindowDays.sources),
  platform: PlatformFilter,
  country: MarketFilter,
};

export const listDiscoveredBrands = operation({
  id: 'listDiscoveredBrands',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/discovered-brands',
  summary: 'List untracked brands',
  description:
    'Brands in answers about an own brand that are not tracked. One row per name that answers present, counted over the whole window; every answer with a stored text counts. A tracked brand never appears, from the moment it is linked. To track a name, link it as a competitor and reprocess the brand: its history is then complete. Ordered by `units_mentioned` (highest first), then `key`. If the results change, the cursor is `stale`.',
  params: OwnBrandParams,
  query: z.object({
    ...page,
    ...filters,
    min_units: integerFrom(1, 1_000)
      .optional()
      .describe('Only names in at least so many answers.')
      .meta({ default: 2, examples: [2] }),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: DiscoveredBrand },
  errors: ['scan_in_progress'],
});

export const getCoverage = operation({
  id: 'getCoverage',
  service: 'results',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}/coverage',
  summary: 'Estimate what is unseen',
  description:
    'Estimates how many brands, domains or pages no answer has shown yet, from those that only one or two answers have shown. Returns the coverage of the answers, and the total that exists at least. A name that is read wrongly occurs once and makes the total too large.',
  params: OwnBrandParams,
  query: z.object({
    subject: CoverageSubject.describe(
      'What to count: `brands` (tracked and discovered), cited `domains` or cited `pages`.',
    ).meta({ examples: ['brands'] }),
    ...filters,
  }),
  body: null,
  success: { status: 200, kind: 'item', data: Coverage },
  errors: ['scan_in_progress'],
});
