import { z } from 'zod';
import { CalendarDate, Count, Timestamp, Uuid } from '../scalars.ts';

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
