import { z } from 'zod';
import { Uuid } from './scalars.ts';

/** One entry of the `details` array of a `validation_error`. */
export const ValidationDetail = z
  .strictObject({
    path: z.string().describe('Dotted path of the field, the header name, or empty for the body as a whole.'),
    code: z
      .string()
      .describe('What is wrong, such as `too_big` or `unsupported_country`. Further codes may follow.'),
    message: z.string().describe('For people. The wording may change.'),
  })
  .meta({ id: 'ValidationDetail' });
export type ValidationDetail = z.infer<typeof ValidationDetail>;

const cap = {
  tier: z.string().optional().describe('Tier of the organisation.'),
  cap: z.int().optional().describe('Limit of the tier, or the override of it.'),
  attempted: z.int().optional().describe('Number to which the request would have led.'),
};

export const CapDetails = z.strictObject(cap).meta({ id: 'CapRefusal' });

export const CompetitorCapDetails = z.looseObject(cap).meta({ id: 'CompetitorCapRefusal' });

export const CountryCapDetails = z
  .strictObject({
    ...cap,
    countries_in_use: z.array(z.string()).describe('Countries of the active prompts of the organisation.'),
    countries_requested: z.array(z.string()).describe('Countries that the request names.'),
  })
  .meta({ id: 'CountryCapRefusal' });

export const CursorDetails = z
  .strictObject({
    reason: z
      .enum(['filter_changed', 'window_changed', 'stale'])
      .meta({ id: 'CursorRefusalReason' })
      .describe(
        '`filter_changed`, `window_changed`: a filter or a date differs from the first page. `stale`: the results have changed since the first page.',
      ),
    parameter: z.string().optional().describe('The filter that differs. Only with `filter_changed`.'),
  })
  .meta({ id: 'CursorRefusal' });

export const ExistingId = z
  .strictObject({ existing_id: Uuid.describe('Id of the own brand that has the domain or reference.') })
  .meta({ id: 'ExistingIdRefusal' });

export const BrandId = z
  .strictObject({ brand_id: Uuid.describe('Id of the own brand.') })
  .meta({ id: 'BrandRefusal' });

export const ConflictDetails = z
  .looseObject({
    existing_id: Uuid.optional().describe('Id of the prompt with the same text.'),
    competitor_id: Uuid.optional().describe('Id of the competitor that is already linked.'),
  })
  .meta({ id: 'ConflictRefusal' });

export const DuplicateTexts = z
  .strictObject({
    texts: z.array(z.string()).describe('Texts that occur more than once, as in their first row.'),
  })
  .meta({ id: 'DuplicateTextRefusal' });

export const NoManualScans = z
  .strictObject({
    manual_scans_remaining: z.int().describe('Scans on request that are left in this month.'),
    scan_credits: z.int().describe('Purchased scans that are left.'),
  })
  .meta({ id: 'NoManualScansRefusal' });

export const QueuedScan = z
  .strictObject({
    job_id: Uuid.nullable().describe(
      'Id of the scan job that is queued or running; null if it is not known.',
    ),
    idempotency_key: z.string().nullable().describe('Its `idempotency_key`; null if it is not known.'),
  })
  .meta({ id: 'ScanQueuedRefusal' });

export const OpenReprocess = z
  .strictObject({ job_id: Uuid.describe('Id of the reprocess job that is queued or running.') })
  .meta({ id: 'ReprocessRefusal' });

/** Operator API only: the change is stored, but these consumers have not applied it yet. */
export const StoredChange = z
  .strictObject({
    stored: z.literal(true).describe('Always true: the change is stored. Do not repeat it.'),
    waiting_for: z
      .array(z.string())
      .describe('Consumers that have not applied the change yet, or the store that it waits for.'),
  })
  .meta({ id: 'StoredRefusal' });
