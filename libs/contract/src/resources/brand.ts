import { z } from 'zod';
import { Count, Percent, Timestamp, Uuid } from '../scalars.ts';

const brand = {
  id: Uuid,
  name: z.string(),
  domain: z.string().describe('Normalised host of the brand.'),
  is_own: z.boolean().describe('true: tracked own brand; false: competitor row.'),
  external_ref: z.string().nullable(),
  geography: z.string(),
  sunset_at: Timestamp.nullable().describe('When set, the brand is archived.'),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const Brand = z.strictObject(brand).meta({ id: 'Brand' });
export type Brand = z.infer<typeof Brand>;

const detail = {
  ...brand,
  last_scan_changed_at: Timestamp.nullable().describe(
    'Change token: moves whenever something changes for the brand; null before the first result.',
  ),
  aliases: z.array(z.string()),
  competitors: z.array(z.strictObject({ id: Uuid, name: z.string(), domain: z.string() })),
};

export const BrandDetail = z.strictObject(detail).meta({ id: 'BrandDetail' });
export type BrandDetail = z.infer<typeof BrandDetail>;

export const CreatedProperty = z
  .strictObject({ ...detail, markets: z.array(z.string()).describe('Echo of the validated markets.') })
  .meta({ id: 'CreatedProperty' });
export type CreatedProperty = z.infer<typeof CreatedProperty>;

export const LinkedCompetitor = z
  .strictObject({
    ...brand,
    reused: z.boolean().describe('true when an existing row of the organisation was reused.'),
  })
  .meta({ id: 'LinkedCompetitor' });
export type LinkedCompetitor = z.infer<typeof LinkedCompetitor>;

/** `details` of a property creation that failed after the brand was created. */
export const PropertyPartialFailure = z
  .strictObject({
    brand_id: Uuid,
    brand: CreatedProperty,
    competitors: z.array(
      z.strictObject({
        name: z.string(),
        domain: z.string(),
        status: z.enum(['applied', 'failed', 'not_attempted']),
        competitor_id: Uuid.optional(),
        reused: z.boolean().optional(),
        error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
  })
  .meta({ id: 'PropertyPartialFailure' });
export type PropertyPartialFailure = z.infer<typeof PropertyPartialFailure>;

export const BrandSummary = z
  .strictObject({
    id: Uuid,
    name: z.string(),
    domain: z.string(),
    external_ref: z.string().nullable(),
    geography: z.string(),
    score: Percent.nullable(),
    previous_score: Percent.nullable(),
    score_change: z.number().min(-100).max(100).nullable(),
    score_date: z.iso.date().nullable(),
    sentiment: Percent.nullable(),
    share_of_voice: Percent.nullable(),
    average_position: z.number().min(1).nullable(),
    active_prompts: Count,
    last_scan_at: Timestamp.nullable(),
    last_scan_status: z.enum(['completed', 'partial', 'failed']).nullable(),
    scan_in_progress: z.boolean(),
    changed_at: Timestamp.nullable(),
  })
  .meta({ id: 'BrandSummary' });
export type BrandSummary = z.infer<typeof BrandSummary>;
