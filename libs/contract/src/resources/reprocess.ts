import { z } from 'zod';
import { CalendarDate, Count, Timestamp, Uuid } from '../scalars.ts';

export const ReprocessStatus = z
  .enum(['queued', 'running', 'completed', 'failed'])
  .meta({ id: 'ReprocessStatus' });

const ReprocessUnits = z
  .strictObject({
    total: Count.describe('Answered units of the window with a stored text; 0 while the job is queued.'),
    done: Count.describe('Units that were read again.'),
    changed: Count.describe(
      'Units whose brand rows differ afterwards. If the brand changes during the job, it begins again, and `done` and `changed` start from 0.',
    ),
  })
  .meta({ id: 'ReprocessUnits' });

export const ReprocessJob = z
  .strictObject({
    job_id: Uuid.describe('Id of the reprocess job.'),
    brand_id: Uuid.describe('Id of the own brand.'),
    status: ReprocessStatus.describe(
      '`queued`, `running`, `completed`, or `failed`: a day failed five times, and later days keep their earlier figures.',
    ),
    from: CalendarDate.describe('First day of the window (UTC), included.'),
    to: CalendarDate.describe('Last day of the window (UTC), included.'),
    units: ReprocessUnits.describe('Progress of the job, in units.'),
    queued_at: Timestamp.describe('When the job was requested.'),
    started_at: Timestamp.nullable().describe('When the job began; null while it is queued.'),
    completed_at: Timestamp.nullable().describe('When the job completed or failed; null before.'),
  })
  .meta({ id: 'ReprocessJob' });
export type ReprocessJob = z.infer<typeof ReprocessJob>;
