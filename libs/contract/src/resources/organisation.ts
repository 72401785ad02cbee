import { z } from 'zod';
import { Count, Timestamp, Uuid } from '../scalars.ts';

/** A limit; null is unlimited. */
const Limit = Count.nullable().describe('Limit of the tier, or the override of it. null is unlimited.');

/** Maximum of any tier or override, because events of a brand and pages of its scan plan contain all competitors. */
export const maxCompetitorsPerBrand = 250;
export const CompetitorLimit = Count.max(maxCompetitorsPerBrand);

export const LinkScope = z.enum(['owner', 'read_only', 'read_write']).meta({ id: 'LinkScope' });

const organisation = {
  id: Uuid.describe('Id of the organisation.'),
  name: z.string().describe('Name of the organisation.'),
  link_scope: LinkScope.describe(
    '`owner` for an organisation key. For a partner key the scope of its link: `read_only`, or `read_write` to change things too.',
  ),
  external_ref: z
    .string()
    .nullable()
    .describe("The partner's own id of the organisation. null if it has none, and for an organisation key."),
  created_at: Timestamp.describe('When the organisation was created.'),
};

export const Organisation = z.strictObject(organisation).meta({ id: 'Organisation' });
export type Organisation = z.infer<typeof Organisation>;

const LimitUsage = z
  .strictObject({ used: Count.describe('Number that counts towards the limit.'), limit: Limit })
  .meta({ id: 'LimitUsage' });

const CountriesUsage = z
  .strictObject({
    used: Count.describe('Number of countries.'),
    limit: Limit,
    codes: z.array(z.string()).describe('The countries, ISO 3166-1 alpha-2, in alphabetical order.'),
  })
  .meta({ id: 'CountriesUsage' });

const CompetitorsUsage = z
  .strictObject({
    limit: CompetitorLimit.describe('Competitors that an own brand may have. It always has a limit.'),
    max_used: Count.describe('Highest number of competitors that an own brand has.'),
  })
  .meta({ id: 'CompetitorsUsage' });

export const ManualScansUsage = z
  .strictObject({
    used: Count.describe(
      'Scans requested in this UTC month. Scans by credits and refunded ones do not count.',
    ),
    limit: Limit,
    remaining: Count.nullable().describe('Scans that are left in this month. null is unlimited.'),
    resets_at: Timestamp.describe('Start of the next UTC month.'),
  })
  .meta({ id: 'ManualScansUsage' });

const month = z.string().describe('UTC month, YYYY-MM.');
const answers = {
  month,
  units: Count.describe(
    'Units asked, whatever their outcome. A unit counts once, however often it was retried.',
  ),
  cost_usd: z
    .number()
    .min(0)
    .nullable()
    .describe('Their cost at the prices of their time. null if one had no price.'),
};

export const AnswersUsage = z.strictObject(answers).meta({ id: 'AnswersUsage' });

export const OrgAnswersUsage = z
  .strictObject({
    org_id: Uuid.describe('Id of the organisation.'),
    org_name: z.string().describe('Name of the organisation.'),
    ...answers,
  })
  .meta({ id: 'OrgAnswersUsage' });

export const Usage = z
  .strictObject({
    prompts: LimitUsage.describe('Active prompts of brands that are not archived.'),
    own_brands: LimitUsage.describe('Own brands that are not archived.'),
    countries: CountriesUsage.describe('Countries of the active prompts of brands that are not archived.'),
    competitors_per_brand: CompetitorsUsage.describe('Competitors of one own brand.'),
    manual_scans: ManualScansUsage.nullable().describe(
      'Scans on request in this UTC month. null while scans are unavailable.',
    ),
    scan_credits: Count.nullable().describe(
      'Purchased scans that are left, used after the manual scans of the month. null while scans are unavailable.',
    ),
    answers: AnswersUsage.nullable().describe(
      'Units asked in this UTC month. null while scans are unavailable.',
    ),
  })
  .meta({ id: 'Usage' });

export const OrganisationDetail = z
  .strictObject({
    ...organisation,
    tier: z.string().describe('Name of the tier.'),
    api_access: z.boolean().describe('Whether keys of the organisation may call the API.'),
    updated_at: Timestamp.describe('When the name, the tier or an override last changed.'),
    usage: Usage.describe('Limits of the organisation, and how much of each is used.'),
  })
  .meta({ id: 'OrganisationDetail' });
export type OrganisationDetail = z.infer<typeof OrganisationDetail>;
