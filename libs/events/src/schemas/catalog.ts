import { Count, MatchRules, PlatformId, PromptSource, Timestamp, Uuid } from '@bv/contract';
import { z } from 'zod';
import { defineEvent } from '../define-event.ts';

/** A limit; null is unlimited. */
const Limit = Count.nullable();

export const orgChanged = defineEvent({
  type: 'catalog.org.changed.v1',
  source: 'catalog',
  data: z.object({
    id: Uuid,
    name: z.string(),
    tier: z.string(),
    api_access: z.boolean(),
    on_demand_scans: z.boolean(),
    limits: z.object({
      prompts: Limit,
      own_brands: Limit,
      countries: Limit,
      competitors_per_brand: Limit,
      manual_scans: Limit,
    }),
    retention: z
      .object({ answer_text_days: Count.nullable(), unit_days: Count.nullable() })
      .describe('Days that answer texts and units are kept: 0 for ever, null as configured.'),
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Timestamp.nullable(),
    purge_requested_at: Timestamp.nullable().describe('When the deletion of its data was requested.'),
  }),
});

export const brandChanged = defineEvent({
  type: 'catalog.brand.changed.v1',
  source: 'catalog',
  data: z.object({
    id: Uuid,
    org_id: Uuid,
    name: z.string(),
    domain: z.string(),
    aliases: z.array(z.string()),
    match: z.object(MatchRules.shape),
    is_own: z.boolean(),
    external_ref: z.string().nullable(),
    geography: z.string(),
    sunset_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    competitors: z
      .array(z.object({ id: Uuid, name: z.string(), domain: z.string() }))
      .describe(
        'The competitors linked to an own brand; empty for a competitor. The event of a competitor carries its aliases and rules.',
      ),
  }),
});

export const promptChanged = defineEvent({
  type: 'catalog.prompt.changed.v1',
  source: 'catalog',
  data: z.object({
    id: Uuid,
    org_id: Uuid,
    brand_id: Uuid,
    text: z.string(),
    tags: z.array(z.string()),
    countries: z.array(z.string()),
    platforms: z.array(PlatformId),
    active: z.boolean(),
    source: PromptSource,
    created_by_key_id: Uuid.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
});
