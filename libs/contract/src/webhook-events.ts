import { z } from 'zod';
import { Experiment } from './resources/experiment.ts';
import { ScanTrigger, ScanUnits } from './resources/scan.ts';
import { ChangeDirection, ChangeMetric, ScoreComparison, Verdict } from './resources/score-comparison.ts';
import { CalendarDate, Percent, PlatformId, Timestamp, Uuid } from './scalars.ts';

const BrandRef = z
  .strictObject({
    id: Uuid.describe('Id of the brand.'),
    name: z.string().describe('Name of the brand.'),
    domain: z.string().describe('Normalised host of the brand.'),
    external_ref: z
      .string()
      .nullable()
      .describe("The organisation's own reference of the brand; null if it has none."),
  })
  .meta({ id: 'EventBrand' });

export const EventOrganisation = z
  .strictObject({
    id: Uuid.describe('Id of the organisation.'),
    external_ref: z
      .string()
      .nullable()
      .describe('Your own id of the organisation, from your link to it; null if it has none.'),
  })
  .meta({ id: 'EventOrganisation' });

const Change = z.number().min(-100).max(100).nullable();
const Movement = z
  .strictObject({
    value: Percent.nullable().describe('Figure of the day; null without one.'),
    previous: Percent.nullable().describe('Figure of the latest earlier day with results; null without one.'),
    change: Change.describe('`value` minus `previous`; null if one of them is. Often chance.'),
  })
  .meta({ id: 'Movement' });

const CrossingDirection = z.enum(['up', 'down']).meta({ id: 'CrossingDirection' });

/** `scan.completed` becomes `ScanCompleted`. */
const toPascalCase = (type: string): string =>
  type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The body of every webhook: `type`, `timestamp` and `data` of Standard Webhooks, with id and organisation. */
const webhookEvent = <T extends string, D extends z.ZodObject>(type: T, data: D) =>
  z
    .strictObject({
      id: z.string().describe('Id of the event, equal to the header `webhook-id`. A replay has the same.'),
      type: z.literal(type).describe('Type of the event.'),
      api_version: z.literal('1.0.0').describe('Version of the API that the body follows.'),
      timestamp: Timestamp.describe('When the event was created. Retries and replays have the same.'),
      org: EventOrganisation.nullable().describe(
        type === 'endpoint.ping'
          ? 'Always null: a ping belongs to no organisation.'
          : 'Organisation of the brand.',
      ),
      data: data.meta({ ...data.meta(), id: `${toPascalCase(type)}Data` }).describe('Content of the event.'),
    })
    .meta({ id: `${toPascalCase(type)}Event` });

const thresholdData = (metric: 'score' | 'sentiment') =>
  z
    .strictObject({
      brand: BrandRef.describe('Own brand whose figure crossed the threshold.'),
      metric: z.literal(metric).describe('Figure that is compared with the threshold.'),
      country: z.string().nullable().describe('Market of the series; null for the series over all markets.'),
      threshold: z.number().describe('Threshold of the subscription.'),
      direction: CrossingDirection.describe(
        '`up`: previous < threshold <= current. `down`: previous >= threshold > current.',
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
    brand: BrandRef.describe('Own brand whose figure changed.'),
    ...ScoreComparison.shape,
    metric: ChangeMetric.describe('Figure that is compared.'),
    difference: ScoreComparison.shape.difference
      .unwrap()
      .describe(
        'Difference with its paired t interval of 95 % over prompts. The interval does not contain 0.',
      ),
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
      job_id: Uuid.nullable().describe('Id of the scan job.'),
      brand: BrandRef.describe('Own brand that was scanned.'),
      trigger: ScanTrigger.describe('`manual` for requestScan, `scheduled` for the daily scan.'),
      status: z
        .enum(['completed', 'partial'])
        .meta({ id: 'MeasuredScanStatus' })
        .describe('`completed`, or `partial` if some units failed. A failed scan sends no event.'),
      run_date: CalendarDate.describe('UTC day that the scan measured.'),
      queued_at: Timestamp.describe('When the scan was queued.'),
      started_at: Timestamp.describe('When the first unit was sent to a platform.'),
      completed_at: Timestamp.describe('When the last unit ended.'),
      units: ScanUnits.describe('Units of the scan by outcome.'),
      platforms: z.array(PlatformId).describe('AI platforms of the scan.'),
      countries: z.array(z.string()).describe('Markets of the scan, ISO 3166-1 alpha-2.'),
      score: Movement.describe('Score of the day over all markets.'),
      sentiment: Movement.describe('Mean sentiment of the day over all markets.'),
      share_of_voice: Percent.nullable().describe(
        'Mentions of the brand on the day as a share of those of all tracked brands, 0 to 100. null without any mention.',
      ),
      change_verdict: Verdict.nullable()
        .describe(
          'Whether the score of the 7 days up to `run_date` differs from that of the 7 days before. null if the scan was not evaluated.',
        )
        .meta({ examples: ['no_evidence'] }),
      last_scan_changed_at: Timestamp.describe(
        'Change token of the brand, which only grows: an event with an earlier one than the last is outdated.',
      ),
    }),
  ),
  'score.threshold_crossed': webhookEvent('score.threshold_crossed', thresholdData('score')),
  'sentiment.threshold_crossed': webhookEvent('sentiment.threshold_crossed', thresholdData('sentiment')),
  'score.changed': webhookEvent('score.changed', scoreChangedData),
  'experiment.completed': webhookEvent(
    'experiment.completed',
    z.strictObject({
      brand: BrandRef.describe('Own brand of the experiment.'),
      experiment: Experiment.describe('As getExperiment returned it when it became completed.'),
    }),
  ),
  'endpoint.ping': webhookEvent(
    'endpoint.ping',
    z.strictObject({ endpoint_id: Uuid.describe('Id of the webhook endpoint that is checked.') }),
  ),
} as const;

export type WebhookEventType = keyof typeof webhookEvents;
export type WebhookEvent<T extends WebhookEventType> = z.infer<(typeof webhookEvents)[T]>;
