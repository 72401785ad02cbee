import { z } from 'zod';
import { Count, Timestamp, Uuid } from '../scalars.ts';

/** A plan limit; null is unlimited. */
const Limit = Count.nullable();

/** Maximum of any tier or override, because events of a brand and pages of its scan plan contain all competitors. */
export const maxCompetitorsPerBrand = 250;
export const CompetitorLimit = Count.max(maxCompetitorsPerBrand);

export const LinkScope = z.enum(['owner', 'read_only', 'read_write']).meta({ id: 'LinkScope' });

const organisation = {
  id: Uuid,
  name: z.string(),
  link_scope: LinkScope.describe('owner for an organisation key; the scope of the link for a partner key.'),
  external_ref: z.string().nullable().describe("The partner's own id of the organisation."),
  created_at: Timestamp,
};

export const Organisation = z.strictObject(organisation).meta({ id: 'Organisation' });
export type Organisation = z.infer<typeof Organisation>;

const LimitUsage = z.strictObject({ used: Count, limit: Limit }).meta({ id: 'LimitUsage' });

const CountriesUsage = z
  .strictObject({ used: Count, limit: Limit, codes: z.array(z.string()) })
  .meta({ id: 'CountriesUsage' });

const CompetitorsUsage = z
  .strictObject({ limit: CompetitorLimit, max_used: Count })
  .meta({ id: 'CompetitorsUsage' });

export const ManualScansUsage = z
  .strictObject({ used: Count, limit: Limit, remaining: Limit, resets_at: Timestamp })
  .meta({ id: 'ManualScansUsage' });

export const Usage = z
  .strictObject({
    prompts: LimitUsage,
    own_brands: LimitUsage,
    countries: CountriesUsage,
    competitors_per_brand: CompetitorsUsage,
    manual_scans: ManualScansUsage.nullable().describe(
      'null while the service that counts them is unavailable.',
    ),
    scan_credits: Count.nullable(),
  })
  .meta({ id: 'Usage' });

export const OrganisationDetail = z
  .strictObject({
    ...organisation,
    tier: z.string(),
    api_access: z.boolean(),
    updated_at: Timestamp,
    usage: Usage,
  })
  .meta({ id: 'OrganisationDetail' });
export type OrganisationDetail = z.infer<typeof OrganisationDetail>;
