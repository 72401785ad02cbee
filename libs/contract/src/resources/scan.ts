import { z } from 'zod';
import { CalendarDate, Count, PlatformId, Timestamp, Uuid } from '../scalars.ts';

export const ScanStatus = z
  .enum(['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'])
  .meta({ id: 'ScanStatus' });
export const ScanTrigger = z.enum(['manual', 'scheduled']).meta({ id: 'ScanTrigger' });

export const ScanUnits = z
  .strictObject({
    total: Count.describe('Units of the scan: one prompt, country and platform each.'),
    answered: Count.describe('Units with an answer.'),
    no_answer: Count.describe('Units to which the platform responded without an answer.'),
    failed: Count.describe('Units that failed after all attempts.'),
  })
  .meta({ id: 'ScanUnits' });

export const ScanRequest = z
  .strictObject({
    job_id: Uuid.describe('Id of the scan job, for getScan.'),
    idempotency_key: z.string().describe('`Idempotency-Key` of the request, or a generated one.'),
    status: z.literal('queued').describe('Always `queued`: the scan starts soon.'),
  })
  .meta({ id: 'ScanRequest' });
export type ScanRequest = z.infer<typeof ScanRequest>;

const Usd = z.number().min(0);

const PreviewedPlatform = z
  .strictObject({
    platform: PlatformId.describe('The platform.'),
    units: Count.describe('Units on this platform.'),
    price_usd: Usd.nullable().describe('Price of a unit. null where none is set.'),
    cost_usd: Usd.nullable().describe('Price of its units. null without a price.'),
  })
  .meta({ id: 'PreviewedPlatform' });

const ScanAllowance = z
  .strictObject({
    manual_scans_remaining: Count.nullable().describe('Scans on request left this month. null is unlimited.'),
    scan_credits: Count.describe('Purchased scans that are left.'),
  })
  .meta({ id: 'ScanAllowance' });

export const ScanPreview = z
  .strictObject({
    units: Count.describe('Units: one prompt, country and platform each.'),
    prompts: Count.describe('Active prompts of the brand.'),
    platforms: z.array(PreviewedPlatform).describe('Platforms with units, in alphabetical order.'),
    cost_usd: Usd.nullable().describe('Price of all units. null if a platform with units has no price.'),
    allowance: ScanAllowance.describe('What scans on request are charged to.'),
    would_refuse: z
      .enum([
        'tier_not_entitled',
        'brand_archived',
        'no_active_prompts',
        'scan_already_queued',
        'no_manual_scans',
      ])
      .nullable()
      .meta({ id: 'ScanRefusal' })
      .describe('Code of the refusal of `requestScan` now. null if it would queue a scan.'),
  })
  .meta({ id: 'ScanPreview' });
export type ScanPreview = z.infer<typeof ScanPreview>;

export const ScanJob = z
  .strictObject({
    job_id: Uuid.describe('Id of the scan job.'),
    brand_id: Uuid.describe('Id of the own brand.'),
    status: ScanStatus.describe(
      '`queued`; `running` from the first request to a platform; then `completed`, `partial` (some units failed), `failed` (all failed) or `cancelled` (the brand was archived first).',
    ),
    trigger: ScanTrigger.describe('`manual` for requestScan, `scheduled` for the daily scan.'),
    run_date: CalendarDate.describe('UTC day that the scan measures: the day on which it was queued.'),
    idempotency_key: z.string().describe('`Idempotency-Key` of requestScan, or a generated one.'),
    units: ScanUnits.describe('Units of the scan by outcome. Those that have not ended are only in `total`.'),
    queued_at: Timestamp.describe('When the scan was queued.'),
    started_at: Timestamp.nullable().describe('When the first unit was sent to a platform; null before.'),
    completed_at: Timestamp.nullable().describe('When the last unit ended; null before.'),
  })
  .meta({ id: 'ScanJob' });
export type ScanJob = z.infer<typeof ScanJob>;
