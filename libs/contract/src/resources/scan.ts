import { z } from 'zod';
import { CalendarDate, Count, Timestamp, Uuid } from '../scalars.ts';

export const ScanStatus = z
  .enum(['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'])
  .meta({ id: 'ScanStatus' });
export const ScanTrigger = z.enum(['manual', 'scheduled']).meta({ id: 'ScanTrigger' });

export const ScanUnits = z
  .strictObject({ total: Count, answered: Count, no_answer: Count, failed: Count })
  .meta({ id: 'ScanUnits' });

export const ScanRequest = z
  .strictObject({ job_id: Uuid, idempotency_key: z.string(), status: z.literal('queued') })
  .meta({ id: 'ScanRequest' });
export type ScanRequest = z.infer<typeof ScanRequest>;

export const ScanJob = z
  .strictObject({
    job_id: Uuid,
    brand_id: Uuid,
    status: ScanStatus,
    trigger: ScanTrigger,
    run_date: CalendarDate,
    idempotency_key: z.string(),
    units: ScanUnits,
    queued_at: Timestamp,
    started_at: Timestamp.nullable(),
    completed_at: Timestamp.nullable(),
  })
  .meta({ id: 'ScanJob' });
export type ScanJob = z.infer<typeof ScanJob>;
