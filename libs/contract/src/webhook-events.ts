import { z } from 'zod';
import { ScanTrigger, ScanUnits } from './resources/scan.ts';
import { ChangeDirection, ScoreComparison, Verdict } from './resources/score-comparison.ts';
import { CalendarDate, Percent, PlatformId, Timestamp, Uuid } from './scalars.ts';

const BrandRef = z
  .strictObject({
    id: Uuid,
    name: z.string(),
    domain: z.string(),
    external_ref: z.string().nullable(),
  })
  .meta({ id: 'EventBrand' });

const OrgRef = z
  .strictObject({ id: Uuid, external_ref: z.string().nullable() })
  .meta({ id: 'EventOrganisation' });

const Change = z.number().min(-100).max(100).nullable();
const Movement = z
  .strictObject({ value: Percent.nullable(), previous: Percent.nullable(), change: Change })
  .meta({ id: 'Movement' });

const CrossingDirection = z.enum(['up', 'down']).meta({ id: 'CrossingDirection' });

/** `scan.completed` becomes `ScanCompleted`. */
const toPascalCase = (type: string): string =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The body of every webhook: `type`, `timestamp` and `data` of Standard Webhooks, with id and organisation. */
const webhookEvent = <T extends string, D extends z.ZodObject>(type: T, data: D) =>
  z
    .strictObject({
      id: z.string(),
      type: z.literal(type),
      api_version: z.literal('1.0.0'),
      timestamp: Timestamp,
      org: OrgRef.nullable(),
      data: data.meta({ ...data.meta(), id: `${toPascalCase(type)}Data` }),
    })
    .meta({ id: `${toPascalCase(type)}Event` });

const thresholdData = (metric: 'score' | 'sentiment') =>
  z
    .strictObject({
      brand: BrandRef,
      metric: z.literal(metric),
      country: z.string().nullable().describe('Market of the series; null for the series over all markets.'),
      threshold: z.number(),
      direction: CrossingDirection.describe(
        'up: previous < threshold <= current. down: previous >= threshold > current.',
      ),
      previous: Percent.describe(
        'Value of the last event at this threshold, or of the first evaluation. An event counts whether or not `direction` of a subscription selected it. On a first evaluation that changes side: value of the latest earlier run_date.',
      ),
      current: Percent.describe('Value of the newest day of the series.'),
      change: z.number().min(-100).max(100).describe('current minus previous.'),
      run_date: CalendarDate.describe('Newest day of the series, whichever day was scanned.'),
      job_id: Uuid.nullable().describe('Scan whose scoring led to the evaluation.'),
    })
    .describe(
      'After each scoring of the brand the newest day of the series is compared with the side last reported. A different side is an event, sent where `direction` of a subscription selects it. Imports send none; the next scan reports what they changed.',
    );

const scoreChangedData = z
  .strictObject({
    brand: BrandRef,
    ...ScoreComparison.shape,
    difference: ScoreComparison.shape.difference
      .unwrap()
      .describe('Difference with its paired t interval over prompts. The interval does not contain 0.'),
    verdict: ChangeDirection.describe('Whether the figure is higher or lower in window b.'),
    job_id: Uuid.describe('Scan whose scoring led to the comparison.'),
  })
  .describe(
    'The comparison when the first scan of a day was scored. Window b ends on that day, window a ends before window b.',
  );

/** Payload schemas of webhooks, by event type. */
export const webhookEvents = {
  'scan.completed': webhookEvent(
    'scan.completed',
    z.strictObject({
      job_id: Uuid.nullable(),
      brand: BrandRef,
      trigger: ScanTrigger,
      status: z.enum(['completed', 'partial']).meta({ id: 'MeasuredScanStatus' }),
      run_date: CalendarDate,
      queued_at: Timestamp,
      started_at: Timestamp,
      completed_at: Timestamp,
      units: ScanUnits,
      platforms: z.array(PlatformId),
      countries: z.array(z.string()),
      score: Movement,
      sentiment: Movement,
      share_of_voice: Percent.nullable(),
      change_verdict: Verdict.nullable()
        .describe(
          'Whether the score of the 7 days up to `run_date` differs from that of the 7 days before. null if the scan was not evaluated.',
        )
        .meta({ examples: ['no_evidence'] }),
      last_scan_changed_at: Timestamp,
    }),
  ),
  'score.threshold_crossed': webhookEvent('score.threshold_crossed', thresholdData('score')),
  'sentiment.threshold_crossed': webhookEvent('sentiment.threshold_crossed', thresholdData('sentiment')),
  'score.changed': webhookEvent('score.changed', scoreChangedData),
  'endpoint.ping': webhookEvent('endpoint.ping', z.strictObject({ endpoint_id: Uuid })),
} as const;

export type WebhookEventType = keyof typeof webhookEvents;
export type WebhookEvent<T extends WebhookEventType> = z.infer<(typeof webhookEvents)[T]>;
