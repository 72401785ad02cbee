import { CalendarDate, Percent, PlatformId, ScanTrigger, ScanUnits, Timestamp, Uuid } from '@bv/contract';
import { z } from 'zod';
import { defineEvent } from '../define-event.ts';

const Movement = z.object({
  value: Percent.nullable(),
  previous: Percent.nullable(),
  change: z.number().min(-100).max(100).nullable(),
});

const NewestFigure = z.object({
  value: Percent.nullable(),
  earlier: Percent.nullable().describe('Value of the latest earlier run_date that has one.'),
});

/** The change token of an own brand moved; its version is strictly increasing. */
export const resultsBrandChanged = defineEvent({
  type: 'results.brand.changed.v1',
  source: 'results',
  data: z.object({ brand_id: Uuid, org_id: Uuid, changed_at: Timestamp }),
});

/** A scan has ended and its scores stand. Aggregate id: the job's. */
export const scanScored = defineEvent({
  type: 'results.scan.scored.v1',
  source: 'results',
  data: z.object({
    job_id: Uuid,
    org_id: Uuid,
    brand_id: Uuid,
    brand: z.object({
      id: Uuid,
      name: z.string(),
      domain: z.string(),
      external_ref: z.string().nullable(),
    }),
    trigger: ScanTrigger,
    status: z.enum(['completed', 'partial']),
    run_date: CalendarDate,
    queued_at: Timestamp,
    started_at: Timestamp,
    completed_at: Timestamp,
    units: z.object(ScanUnits.shape),
    platforms: z.array(PlatformId),
    countries: z.array(z.string()),
    changed_at: Timestamp.describe('Change token of the brand: it orders the scored scans of one brand.'),
    series: z
      .array(
        z.object({
          country: z.string().nullable().describe('null: the series over all markets.'),
          score: Movement,
          sentiment: Movement,
          share_of_voice: Percent.nullable(),
        }),
      )
      .describe('Series of run_date, at most 300: all markets, the markets of the scan, then others.'),
    newest_days: z
      .array(
        z.object({
          country: z.string().nullable().describe('null: the series over all markets.'),
          run_date: CalendarDate,
          score: NewestFigure,
          sentiment: NewestFigure,
        }),
      )
      .optional()
      .describe(
        'Newest day of each series of the brand at changed_at, at most 300: all markets, the markets of the scan, then those with the newest days. Consumers accept events without it.',
      ),
  }),
});
