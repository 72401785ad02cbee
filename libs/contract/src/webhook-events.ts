import { z } from 'zod';
import { ScanTrigger, ScanUnits } from './resources/scan.ts';
import { CalendarDate, Percent, PlatformId, Timestamp, Uuid } from './scalars.ts';

const BrandRef = z.strictObject({
  id: Uuid,
  name: z.string(),
  domain: z.string(),
  external_ref: z.string().nullable(),
});

const Change = z.number().min(-100).max(100).nullable();
const Movement = z.strictObject({ value: Percent.nullable(), previous: Percent.nullable(), change: Change });

/** The body of every webhook: Standard Webhooks' `type`, `timestamp`, `data` with the id and the organisation. */
const webhookEvent = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z
    .strictObject({
      id: z.string(),
      type: z.literal(type),
      api_version: z.literal('1.0.0'),
      timestamp: Timestamp,
      org: z.strictObject({ id: Uuid, external_ref: z.string().nullable() }).nullable(),
      data,
    })
    .meta({ id: `Event.${type}` });

const thresholdData = (metric: 'score' | 'sentiment') =>
  z.strictObject({
    brand: BrandRef,
    metric: z.literal(metric),
    country: z.string().nullable(),
    threshold: z.number(),
    direction: z.enum(['up', 'down']),
    previous: Percent,
    current: Percent,
    change: z.number().min(-100).max(100),
    run_date: CalendarDate,
    job_id: Uuid.nullable(),
  });

/** Payload schemas of what partners' endpoints receive, by event type. */
export const webhookEvents = {
  'scan.completed': webhookEvent(
    'scan.completed',
    z.strictObject({
      job_id: Uuid.nullable(),
      brand: BrandRef,
      trigger: ScanTrigger,
      status: z.enum(['completed', 'partial']),
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
      last_scan_changed_at: Timestamp,
    }),
  ),
  'score.threshold_crossed': webhookEvent('score.threshold_crossed', thresholdData('score')),
  'sentiment.threshold_crossed': webhookEvent('sentiment.threshold_crossed', thresholdData('sentiment')),
  'endpoint.ping': webhookEvent('endpoint.ping', z.strictObject({ endpoint_id: Uuid })),
} as const;

export type WebhookEventType = keyof typeof webhookEvents;
export type WebhookEvent<T extends WebhookEventType> = z.infer<(typeof webhookEvents)[T]>;
