import { z } from 'zod';
import { resourceId } from '../parameters.ts';
import { CompetitorLimit, LinkScope, Usage } from '../resources/organisation.ts';
import { Count, text, Timestamp, Uuid } from '../scalars.ts';

/** Shorter than the time in which a late event of a scan can arrive, units could be deleted before they are scored. */
export const minRetentionDays = 7;

/** Services store limits in four bytes. A larger limit would block all later changes of the organisation. */
const Limit = Count.max(2_000_000_000).nullable().optional();

/** Limits that replace those of the tier for one organisation; null is unlimited. */
export const Overrides = z
  .strictObject({
    api_access: z.boolean().optional().describe('Whether keys of the organisation may call the public API.'),
    on_demand_scans: z.boolean().optional().describe('Whether scans may be requested.'),
    prompts: Limit.describe('Active prompts; null for any number.'),
    own_brands: Limit.describe('Own brands; null for any number.'),
    countries: Limit.describe('Countries of active prompts; null for any number.'),
    competitors_per_brand: CompetitorLimit.nullable().optional().describe('At most 250, also when null.'),
    manual_scans: Limit.describe('Scans on request in a UTC month; null for any number.'),
  })
  .meta({ id: 'Overrides' });
export type Overrides = z.infer<typeof Overrides>;

const RetentionDays = z
  .int()
  .min(0)
  .max(36_500)
  .refine((days) => days === 0 || days >= minRetentionDays, {
    message: `Retention is 0 (for ever) or at least ${minRetentionDays} days`,
    params: { code: 'too_small' },
  })
  .nullable();

/** How long results of an organisation are kept. Scores, shares of voice and sources are kept in any case. */
const retention = {
  answer_text_days: RetentionDays.describe(
    'Days that texts of answers are kept: 0 for ever, null as the installation is configured.',
  ),
  unit_days: RetentionDays.describe(
    'Days that units are kept, which are mentions and results of prompts: 0 for ever, null as the installation is configured.',
  ),
};
export const Retention = z.strictObject(retention).meta({ id: 'Retention' });
export type Retention = z.infer<typeof Retention>;

export const RetentionInput = z
  .strictObject({
    answer_text_days: retention.answer_text_days.default(null),
    unit_days: retention.unit_days.default(null),
  })
  .meta({ id: 'RetentionInput' });

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
    id: Uuid.describe('Id of the organisation.'),
    name: z.string().describe('Name of the organisation.'),
    tier: z.string().describe('Name of its tier.'),
    overrides: Overrides.describe('Limits that replace those of the tier. Empty without any.'),
    retention: Retention.describe('How long results are kept.'),
    created_at: Timestamp.describe('When the organisation was created.'),
    updated_at: Timestamp.describe('When the name, the tier, an override or the retention last changed.'),
  })
  .meta({ id: 'OperatorOrg' });
export type OperatorOrg = z.infer<typeof OperatorOrg>;

export const OperatorOrgDetail = z
  .strictObject({
    ...OperatorOrg.shape,
    usage: Usage.describe('Limits of the organisation, and how much of each is used.'),
  })
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
      .describe('Permissions of the key: `read`, or `read` and `write`. Every key has `read`.'),
    per_minute: z.int().min(1).max(1_000_000).default(120).describe('Requests allowed in a clock minute.'),
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
  id: Uuid.describe('Id of the key.'),
  name: z.string().nullable().describe('Name of the key, for people; null if none was given.'),
  key_prefix: z.string().describe('The first 12 characters, the only part that is ever shown again.'),
  scopes: z.array(Scope).describe('Permissions of the key: `read`, or `read` and `write`.'),
  per_minute: Count.describe('Requests that the key may make in a clock minute.'),
  monthly_quota: Count.nullable().describe(
    'Requests that the key may make in a UTC month; null for any number.',
  ),
  expires_at: Timestamp.nullable().describe('When the key expires; null for never.'),
  revoked_at: Timestamp.nullable().describe('When the key was revoked; null if it was not.'),
  created_at: Timestamp.describe('When the key was created.'),
};
export const ApiKey = z.strictObject(apiKey).meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export const MintedApiKey = z
  .strictObject({ ...apiKey, key: z.string().describe('The whole key; shown once.') })
  .meta({ id: 'MintedApiKey' });
export type MintedApiKey = z.infer<typeof MintedApiKey>;

export const PartnerStatus = z.enum(['active', 'suspended']);
const partner = {
  id: Uuid.describe('Id of the partner.'),
  name: z.string().describe('Name of the partner.'),
  status: PartnerStatus.describe(
    '`active`, or `suspended`: its keys are refused and no webhook is sent until it is active again.',
  ),
  created_at: Timestamp.describe('When the partner was created.'),
  updated_at: Timestamp.describe('When its status last changed.'),
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
  partner_id: Uuid.describe('Id of the partner.'),
  org_id: Uuid.describe('Id of the organisation.'),
  scope: LinkScope.exclude(['owner']).describe('`read_only`, or `read_write` to change things too.'),
  external_ref: z
    .string()
    .nullable()
    .describe("The partner's own id of the organisation; null if it has none."),
  created_at: Timestamp.describe('When the link was first created.'),
  updated_at: Timestamp.describe('When the link last changed.'),
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
  id: Uuid.describe('Id of the dead-letter event.'),
  service: z.string().describe('Service whose consumer could not handle the message.'),
  consumer: z.string().describe('Name of the consumer.'),
  event_id: z.string().nullable().describe('Id of the message; null if it has no readable id.'),
  type: z.string().describe('Type of the message.'),
  status: DeadEventStatus.describe(
    '`dead`: no attempt succeeded. `redriven`: sent again, without an outcome yet. `applied`: a redrive succeeded. `dismissed`: removed from the list.',
  ),
  error: z
    .string()
    .describe('The last error on one short line; operatorGetDeadEvent returns the whole text.'),
  attempts: Count.describe('Failed attempts, those after a redrive included.'),
  created_at: Timestamp.describe('Same as first_failed_at.'),
  first_failed_at: Timestamp.describe('When the first attempt failed.'),
  last_failed_at: Timestamp.describe('When the last attempt failed.'),
  redriven_at: Timestamp.nullable().describe('When it was last redriven; null if it was not.'),
};

/** One message that one consumer could not handle in any attempt. */
export const DeadEvent = z.strictObject(deadEvent).meta({ id: 'DeadEvent' });
export type DeadEvent = z.infer<typeof DeadEvent>;

export const DeadEventDetail = z
  .strictObject({ ...deadEvent, message: z.unknown().describe('The message as it was published.') })
  .meta({ id: 'DeadEventDetail' });

const RejectedLine = z
  .strictObject({
    line: z.int().min(1).describe('Number of the line, from 1.'),
    error: z.string().describe('Why it was refused.'),
  })
  .meta({ id: 'RejectedLine' });

export const ImportSummary = z
  .strictObject({
    imported: Count.describe('Lines that were stored.'),
    duplicates: Count.describe('Lines whose `unit_id` is stored already.'),
    skipped: Count.describe('Lines with the outcome failed.'),
    rejected: z
      .array(RejectedLine)
      .describe(
        'Lines that were refused, in the order of the body. After 12 MB of them, further ones are refused without an entry.',
      ),
  })
  .meta({ id: 'ImportSummary' });

const RepublishedService = z
  .strictObject({
    service: z.string().describe('Name of the service.'),
    events: Count.describe('Events that it sends again.'),
  })
  .meta({ id: 'RepublishedService' });

export const RepublishedEvents = z
  .strictObject({ republished: z.array(RepublishedService).describe('One entry per service.') })
  .meta({ id: 'RepublishedEvents' });

export const KeyUsage = z
  .strictObject({
    key_id: Uuid.describe('Id of the key.'),
    key_prefix: z.string().describe('First 12 characters of the key.'),
    key_name: z.string().nullable().describe('Name of the key, for people.'),
    owner_kind: z
      .enum(['organisation', 'partner'])
      .describe('Whether the key belongs to one organisation or to a partner.'),
    owner_id: Uuid.describe('Id of the organisation or the partner.'),
    owner_name: z.string().describe('Name of the organisation or the partner.'),
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .describe('UTC month, YYYY-MM.'),
    used: Count.describe('Requests that were charged in the month.'),
    quota: Count.nullable().describe('Requests allowed in a month; null for any number.'),
  })
  .meta({ id: 'KeyUsage' });
export type KeyUsage = z.infer<typeof KeyUsage>;

export const PartnerIdParams = z.object({ partnerId: resourceId('partner') });
