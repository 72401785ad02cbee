import {
  CalendarDate,
  ChangeDirection,
  ChangeMetric,
  ChangeWindowDays,
  Count,
  Experiment,
  Percent,
  PlatformId,
  ScanTrigger,
  ScanUnits,
  ScoreComparison,
  Timestamp,
  Uuid,
  Verdict,
} from '@bv/contract';
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

const ComparedFigures = z.object({ ...ScoreComparison.shape.a.shape, units_failed: Count.default(0) });

/** A comparison that found a change. Its schema ignores unknown fields, so that producers can add some. */
const FoundChange = z.object({
  ...ScoreComparison.shape,
  metric: ChangeMetric,
  a: ComparedFigures,
  b: ComparedFigures,
  difference: z.object(ScoreComparison.shape.difference.unwrap().shape),
  verdict: ChangeDirection,
  window_days: ChangeWindowDays.describe('Days of each window.'),
  highest_confidence: z.number().describe('Highest level of confidence at which it is a change.'),
});

const EventBrand = z.object({
  id: Uuid,
  name: z.string(),
  domain: z.string(),
  external_ref: z.string().nullable(),
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
    brand: EventBrand,
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
          change_verdict: Verdict.describe('Score of the 7 days up to run_date against the 7 days before.'),
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
      .describe(
        'Newest day of each series of the brand at changed_at, at most 300: all markets, the markets of the scan, then those with the newest days.',
      ),
    comparisons: z
      .array(FoundChange)
      .optional()
      .describe(
        'Changes of the 7 and the 28 days up to run_date against as many days before, by metric, at most 300: all markets, then the markets of the scan. Only in the event of the first scan of run_date that was scored.',
      ),
  }),
});

/** The last day of an experiment is over, or was when it was registered. Aggregate id: the experiment's. */
export const experimentCompleted = defineEvent({
  type: 'results.experiment.completed.v1',
  source: 'results',
  data: z.object({
    org_id: Uuid,
    brand_id: Uuid,
    brand: EventBrand,
    experiment: z.object(Experiment.shape).describe('As getExperiment returned it when it became completed.'),
  }),
});
