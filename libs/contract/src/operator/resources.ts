import { z } from 'zod';
import { resourceId } from '../parameters.ts';
import { CompetitorLimit, LinkScope, Usage } from '../resources/organisation.ts';
import { Count, text, Timestamp, Uuid } from '../scalars.ts';

/** Services store limits in four bytes. A larger limit would block all later changes of the organisation. */
const Limit = Count.max(2_000_000_000).nullable().optional();

/** Limits that replace those of the tier for one organisation; null is unlimited. */
export const Overrides = z
  .strictObject({
    api_access: z.boolean().optional(),
    on_demand_scans: z.boolean().optional(),
    prompts: Limit,
    own_brands: Limit,
    countries: Limit,
    competitors_per_brand: CompetitorLimit.nullable().optional().describe('At most 250, also when null.'),
    manual_scans: Limit,
  })
  .meta({ id: 'Overrides' });
export type Overrides = z.infer<typeof Overrides>;

const TierLimit = Count.nullable();

export const Tier = z
  .strictObject({
    name: z.string().describe('Name of the tier.'),
    api_access: z.boolean().describe('Whether keys of its organisations may call the public API.'),
    on_demand_scans: z.boolean().describe('Whether scans may be requested.'),
    prompts: TierLimit.describe('Active prompts; null for any number.'),
    own_brands: TierLimit.describe('Own brands; null for any number.'),
    countries: TierLimit.describe('Markets of active prompts; null for any number.'),
    competitors_per_brand: CompetitorLimit.describe('Competitors of an own brand.'),
    manual_scans: TierLimit.describe('Scans on request in a UTC month; null for any number.'),
  })
  .meta({ id: 'Tier' });
export type Tier = z.infer<typeof Tier>;

export const OperatorOrg = z
  .strictObject({
    id: Uuid,
    name: z.string(),
    tier: z.string(),
    overrides: Overrides,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'OperatorOrg' });
export type OperatorOrg = z.infer<typeof OperatorOrg>;

export const OperatorOrgDetail = z
  .strictObject({ ...OperatorOrg.shape, usage: Usage })
  .meta({ id: 'OperatorOrgDetail' });
export type OperatorOrgDetail = z.infer<typeof OperatorOrgDetail>;

const Scope = z.enum(['read', 'write']);

export const KeyInput = z
  .object({
    name: text(1, 200, { trim: true }).optional().describe('Name of the key, for people.'),
    scopes: z
      .array(Scope)
      .min(1)
      .max(2)
      .transform((scopes) => [...new Set(scopes)])
      .refine((scopes) => scopes.includes('read'), {
        message: 'Every key carries read',
        params: { code: 'invalid_value' },
      })
      .default(['read'])
      .describe('Operations that the key may call. Every key carries `read`.'),
    per_minute: z.int().min(1).max(1_000_000).default(120).describe('Requests allowed in a minute.'),
    monthly_quota: z
      .int()
      .min(0)
      .max(1_000_000_000_000)
      .nullable()
      .default(null)
      .describe('Requests allowed in a UTC month; null for any number.'),
    expires_at: Timestamp.nullable()
      .optional()
      .describe('Time in the future from which on the key is refused; null for never.')
      .meta({ examples: ['2027-12-31T00:00:00Z'] }),
  })
  .meta({ id: 'KeyInput' });

const apiKey = {
  id: Uuid,
  name: z.string().nullable(),
  key_prefix: z.string().describe('The first 12 characters, the only part that is ever shown again.'),
  scopes: z.array(Scope),
  per_minute: Count,
  monthly_quota: Count.nullable(),
  expires_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
  created_at: Timestamp,
};
export const ApiKey = z.strictObject(apiKey).meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const MintedApiKey = z
  .strictObject({ ...apiKey, key: z.string().describe('The whole key; shown once.') })
  .meta({ id: 'MintedApiKey' });
export type MintedApiKey = z.infer<typeof MintedApiKey>;

export const PartnerStatus = z.enum(['active', 'suspended']);
const partner = {
  id: Uuid,
  name: z.string(),
  status: PartnerStatus,
  created_at: Timestamp,
  updated_at: Timestamp,
};
export const Partner = z.strictObject(partner).meta({ id: 'Partner' });
export type Partner = z.infer<typeof Partner>;

export const PartnerDetail = z
  .strictObject({
    ...partner,
    links: Count.describe('Organisations that the partner can reach.'),
    active_keys: Count.describe('Keys that are neither revoked nor expired.'),
  })
  .meta({ id: 'PartnerDetail' });

const partnerLink = {
  partner_id: Uuid,
  org_id: Uuid,
  scope: LinkScope.exclude(['owner']),
  external_ref: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
};
export const PartnerLink = z.strictObject(partnerLink).meta({ id: 'PartnerLink' });
export type PartnerLink = z.infer<typeof PartnerLink>;

export const NamedPartnerLink = z
  .strictObject({
    ...partnerLink,
    partner_name: z.string().describe('Name of the partner.'),
    org_name: z.string().describe('Name of the organisation.'),
  })
  .meta({ id: 'NamedPartnerLink' });
export type NamedPartnerLink = z.infer<typeof NamedPartnerLink>;

/** `applied`: a redrive succeeded. After a failed redrive the state is `dead` again. */
export const DeadEventStatus = z.enum(['dead', 'redriven', 'applied', 'dismissed']);
export type DeadEventStatus = z.infer<typeof DeadEventStatus>;

const deadEvent = {
  id: Uuid,
  service: z.string(),
  consumer: z.string(),
  event_id: z.string().nullable().describe('Null where the message has no readable id.'),
  type: z.string(),
  status: DeadEventStatus,
  error: z
    .string()
    .describe('The last error on one short line; operatorGetDeadEvent returns the whole text.'),
  attempts: Count.describe('Failed attempts, those after a redrive included.'),
  created_at: Timestamp.describe('Same as first_failed_at.'),
  first_failed_at: Timestamp,
  last_failed_at: Timestamp,
  redriven_at: Timestamp.nullable().describe('The last redrive.'),
};

/** One message that one consumer could not handle in any attempt. */
export const DeadEvent = z.strictObject(deadEvent).meta({ id: 'DeadEvent' });
export type DeadEvent = z.infer<typeof DeadEvent>;

export const DeadEventDetail = z
  .strictObject({ ...deadEvent, message: z.unknown().describe('The message as it was published.') })
  .meta({ id: 'DeadEventDetail' });

const RejectedLine = z.strictObject({ line: z.int().min(1), error: z.string() }).meta({ id: 'RejectedLine' });

export const ImportSummary = z
  .strictObject({
    imported: Count,
    duplicates: Count,
    skipped: Count.describe('Lines with the outcome failed.'),
    rejected: z.array(RejectedLine),
  })
  .meta({ id: 'ImportSummary' });

const RepublishedService = z
  .strictObject({ service: z.string(), events: Count })
  .meta({ id: 'RepublishedService' });

export const RepublishedEvents = z
  .strictObject({ republished: z.array(RepublishedService) })
  .meta({ id: 'RepublishedEvents' });

export const KeyUsage = z
  .strictObject({
    key_id: Uuid,
    key_prefix: z.string(),
    key_name: z.string().nullable().describe('Name of the key, for people.'),
    owner_kind: z.enum(['organisation', 'partner']),
    owner_id: Uuid,
    owner_name: z.string().describe('Name of the organisation or the partner.'),
    month: z.string().regex(/^\d{4}-\d{2}$/),
    used: Count,
    quota: Count.nullable(),
  })
  .meta({ id: 'KeyUsage' });
export type KeyUsage = z.infer<typeof KeyUsage>;

export const PartnerIdParams = z.object({ partnerId: resourceId('partner') });
