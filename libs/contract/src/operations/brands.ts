import { z } from 'zod';
import { operation } from '../operation.ts';
import {
  BooleanFilter,
  BrandParams,
  noQuery,
  OrgParams,
  OwnBrandParams,
  page,
  resourceId,
} from '../parameters.ts';
import {
  Brand,
  BrandDetail,
  CreatedProperty,
  defaultMatchRules,
  LinkedCompetitor,
  MatchRules,
} from '../resources/brand.ts';
import { Deleted } from '../resources/deleted.ts';
import { CountriesOrNone, text } from '../scalars.ts';

const Name = text(1, 200, { trim: true, visible: true });
const invalidDomain = {
  message: 'Invalid domain: not a registrable host name',
  params: { code: 'invalid_domain' },
};
/** A domain as sent. The service normalises it and checks that it is registrable. */
const Domain = text(0, 2048, { trim: true, unreadable: invalidDomain })
  .refine((written) => written !== '', invalidDomain)
  .meta({ minLength: 1, maxLength: 2048 });

const unique = <T>(values: T[]): T[] => [...new Set(values)];

const Aliases = z.array(Name).max(20).transform(unique);
const Geography = text(1, 100, { trim: true });
const ExternalRef = text(1, 255);

export const MatchRulesInput = z
  .object({
    case_sensitive: MatchRules.shape.case_sensitive.default(defaultMatchRules.case_sensitive),
    exclude: z
      .array(text(1, 100, { trim: true, visible: true }))
      .max(20)
      .transform(unique)
      .default(defaultMatchRules.exclude)
      .describe(MatchRules.shape.exclude.description ?? ''),
    verify: MatchRules.shape.verify.default(defaultMatchRules.verify),
  })
  .meta({ id: 'MatchRulesInput' });

export const CompetitorInput = z
  .object({
    name: Name.describe(
      'Name under which answers mention the competitor. A reused competitor keeps its own.',
    ),
    domain: Domain.describe(
      'Registrable host name of the competitor. Of a URL the host is stored, without `www.`.',
    ),
    aliases: Aliases.optional().describe(
      'Further names under which answers mention the competitor. None when omitted or empty. A reused competitor keeps its own.',
    ),
    match: MatchRulesInput.optional().describe(
      'What counts as a mention of the competitor. Default rules when omitted. A reused competitor keeps its own.',
    ),
  })
  .meta({ id: 'CompetitorInput' });

export const createProperty = operation({
  id: 'createProperty',
  service: 'catalog',
  method: 'POST',
  path: '/orgs/{orgId}/properties',
  summary: 'Create a property',
  description:
    '1. Checks, which write nothing: the domain and `external_ref` are new, and the limits of brands and countries suffice.\n2. Creates the brand.\n3. Links each competitor in turn, at most 50. One of the organisation with the same domain is reused with its stored name.\n\nA refused competitor does not undo the brand. The error then has `details.brand_id` and the outcome of each competitor. Link the others with `linkCompetitor`; do not repeat this request. `markets` are checked and returned, not stored. Nothing is measured before the brand has a prompt.',
  params: OrgParams,
  query: noQuery,
  body: z.object({
    name: Name.describe('Name under which answers mention the brand.'),
    domain: Domain.describe(
      'Registrable host name of the brand. Of a URL the host is stored, without `www.`.',
    ),
    external_ref: ExternalRef.optional().describe(
      'Your own reference of the brand, unique in the organisation. None when omitted.',
    ),
    geography: Geography.optional().describe(
      'Where the brand is active, `global` when omitted. It is only stored; nothing is measured by it.',
    ),
    aliases: Aliases.optional().describe(
      'Further names under which answers mention the brand. None when omitted or empty.',
    ),
    match: MatchRulesInput.optional().describe(
      'What counts as a mention of the brand. Default rules when omitted.',
    ),
    markets: CountriesOrNone.optional().describe(
      'Markets that you intend to use. Checked against the limit of countries and returned, not stored: the countries of the prompts decide what is measured. None when omitted or empty.',
    ),
    competitors: z
      .array(CompetitorInput)
      .max(50)
      .optional()
      .describe('Competitors to link, in this order. None when omitted or empty.'),
  }),
  success: { status: 201, kind: 'item', data: CreatedProperty },
  errors: [
    'brand_exists',
    'external_ref_exists',
    'conflict',
    'country_cap_exceeded',
    'brand_cap_exceeded',
    'competitor_cap_exceeded',
  ],
});

export const listBrands = operation({
  id: 'listBrands',
  service: 'catalog',
  method: 'GET',
  path: '/orgs/{orgId}/brands',
  summary: 'List brands',
  description:
    'Own brands and competitors, unless `is_own` selects one kind. Ordered by `created_at`, then `id`. Archived brands are omitted; `getBrand` reads them.',
  params: OrgParams,
  query: z.object({
    ...page,
    is_own: BooleanFilter.describe('`true` for own brands only, `false` for competitors only.'),
  }),
  body: null,
  success: { status: 200, kind: 'list', data: Brand },
});

export const getBrand = operation({
  id: 'getBrand',
  service: 'catalog',
  method: 'GET',
  path: '/orgs/{orgId}/brands/{brandId}',
  summary: 'Read a brand',
  description:
    'An own brand with its competitors, or a competitor. `last_scan_changed_at` moves with every change of the results of the brand, so compare it before you read results again.',
  params: BrandParams,
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: BrandDetail },
});

const BrandPatch = z
  .object({
    name: Name.optional().describe('Name under which answers mention the brand.'),
    aliases: Aliases.optional().describe('Replaces all aliases; an empty list removes them.'),
    match: MatchRulesInput.optional().describe(
      'Replaces all match rules. Omitted members get their default.',
    ),
    geography: Geography.optional().describe('Where the brand is active. Own brands only.'),
    external_ref: ExternalRef.nullable()
      .optional()
      .describe('Your own reference of the brand; `null` removes it. Own brands only.'),
    domain: z
      .unknown()
      .optional()
      .refine((value) => value === undefined, {
        message: 'The domain of a brand cannot be changed',
        params: { code: 'immutable' },
      })
      .meta({
        not: {},
        description: 'The domain cannot be changed: a body with it is refused with `immutable`.',
      }),
  })
  .superRefine((patch, ctx) => {
    if (Object.values(patch).some((field) => field !== undefined)) return;
    ctx.addIssue({
      code: 'custom',
      path: [],
      message: 'At least one of name, aliases, match, geography, external_ref is required',
      params: { code: 'empty_patch' },
    });
  })
  .meta({ minProperties: 1 });

export const updateBrand = operation({
  id: 'updateBrand',
  service: 'catalog',
  method: 'PATCH',
  path: '/orgs/{orgId}/brands/{brandId}',
  summary: 'Update a brand',
  description:
    'Omitted fields stay as they are. Answers are read with the new identity from the next unit on; `reprocessBrand` reads stored answers with it. A competitor changes for every own brand that it is linked to. Archived brands accept it. For a competitor, `geography` and `external_ref` are refused with `own_brand_only`.',
  params: BrandParams,
  query: noQuery,
  body: BrandPatch,
  success: { status: 200, kind: 'item', data: BrandDetail },
  errors: ['external_ref_exists'],
});

export const linkCompetitor = operation({
  id: 'linkCompetitor',
  service: 'catalog',
  method: 'POST',
  path: '/orgs/{orgId}/brands/{brandId}/competitors',
  summary: 'Link a competitor',
  description:
    'The competitor is searched for from the next unit on, and in stored answers after `reprocessBrand`. One of the organisation with the same domain is reused and keeps its name, aliases and match rules. It counts towards the limit of competitors. A competitor that is already linked is a `conflict`; the domain of the own brand is `competitor_is_self`.',
  params: OwnBrandParams,
  query: noQuery,
  body: CompetitorInput,
  success: { status: 201, kind: 'item', data: LinkedCompetitor },
  errors: ['conflict', 'brand_archived', 'competitor_cap_exceeded'],
});

export const unlinkCompetitor = operation({
  id: 'unlinkCompetitor',
  service: 'catalog',
  method: 'DELETE',
  path: '/orgs/{orgId}/brands/{brandId}/competitors/{competitorId}',
  summary: 'Unlink a competitor',
  description:
    'The competitor is no longer searched for in answers about this brand, and its place under the limit is free. The competitor itself, its other links and earlier results stay. Answers that were read while it was tracked do not list it as a discovered brand until you reprocess the brand. A competitor that is not linked is `not_found`. Archived brands accept it.',
  params: OwnBrandParams.extend({ competitorId: resourceId('competitor') }),
  query: noQuery,
  body: null,
  success: { status: 200, kind: 'item', data: Deleted },
});
