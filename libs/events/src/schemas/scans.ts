import {
  CalendarDate,
  Count,
  Localization,
  maxEvidence,
  maxOtherNames,
  MentionMethod,
  Outcome,
  Percent,
  PlatformId,
  ScanStatus,
  ScanTrigger,
  ScanUnits,
  Timestamp,
  Uuid,
} from '@bv/contract';
import { z } from 'zod';
import { defineEvent } from '../define-event.ts';

const Position = z.int().min(1);

export const unitFinalised = defineEvent({
  type: 'scans.unit.finalised.v1',
  source: 'scans',
  data: z.object({
    unit_id: Uuid,
    job_id: Uuid,
    org_id: Uuid,
    brand_id: Uuid,
    prompt_id: Uuid,
    platform: PlatformId,
    country: z.string(),
    run_date: CalendarDate,
    finalized_at: Timestamp,
    outcome: Outcome,
    answer_text: z.string().nullable(),
    answer_truncated: z.boolean(),
    model: z.string().nullable(),
    search_used: z.boolean().nullable(),
    localization: Localization,
    search_queries: z.array(z.string()),
    /** `llm` if the LLM judge rated every sentiment, `lexicon` if the lexicon rated any; null if there are none. */
    sentiment_method: z.enum(['lexicon', 'llm']).nullable(),
    /** `words+llm` if the LLM judge rated every brand with `match.verify` that the words found. */
    mention_method: MentionMethod,
    /** Number of the method version that found the brands. */
    method_version: z.string(),
    brands: z.array(
      z.object({
        brand_id: Uuid,
        name: z.string(),
        domain: z.string(),
        is_own: z.boolean(),
        mentioned: z.boolean(),
        mention_count: Count,
        position: Position.nullable(),
        sentiment: Percent.nullable(),
        cited: z.boolean(),
        /** The first occurrences by words, in code points of `answer_text`, also if `means_brand` is false. */
        evidence: z.array(z.object({ start: Count, end: Count })).max(maxEvidence),
        /** Whether the LLM judge says that the text means this brand; null without a judgement. */
        means_brand: z.boolean().nullable(),
      }),
    ),
    /** Names that are not tracked, with their rank among all names. Absent where the answer was not read for them. */
    others: z
      .array(
        z.object({
          name: z.string(),
          key: z.string(),
          start: Count,
          end: Count,
          domain: z.string().nullable(),
          rank: Position,
        }),
      )
      .max(maxOtherNames)
      .optional(),
    sources: z.array(
      z.object({
        position: Position,
        url: z.string(),
        domain: z.string(),
        title: z.string().nullable(),
        cited: z.boolean(),
      }),
    ),
    /** Cited links behind a redirect of the platform whose page is not known. */
    sources_unresolved: Count.default(0),
  }),
});

export const jobChanged = defineEvent({
  type: 'scans.job.changed.v1',
  source: 'scans',
  data: z.object({
    job_id: Uuid,
    org_id: Uuid,
    brand_id: Uuid,
    status: ScanStatus,
    trigger: ScanTrigger,
    run_date: CalendarDate,
    idempotency_key: z.string(),
    units: z.object(ScanUnits.shape),
    platforms: z.array(PlatformId),
    countries: z.array(z.string()),
    units_by_market: z
      .array(z.object({ country: z.string(), platform: PlatformId, total: Count, failed: Count }))
      .optional()
      .describe('Units of a job that measured, or failed to.'),
    queued_at: Timestamp,
    started_at: Timestamp.nullable(),
    completed_at: Timestamp.nullable(),
  }),
});
