import { z } from 'zod';
import { Count, Percent, Timestamp, Uuid } from '../scalars.ts';
import { Verdict } from './score-comparison.ts';

/** What counts as a mention of a brand. */
export const MatchRules = z
  .strictObject({
    case_sensitive: z
      .boolean()
      .describe('The name and aliases count only as written: "Target", not "target". The domain never is.'),
    exclude: z
      .array(z.string())
      .describe(
        'An occurrence inside one of these phrases does not count, such as "target audience". Compared as whole words, without case and accents.',
      ),
    verify: z
      .boolean()
      .describe(
        'A mention counts only if the LLM judge confirms that the text means this brand. Without a judgement, words decide; `mention_method` says which.',
      ),
  })
  .meta({
    id: 'MatchRules',
    examples: [{ case_sensitive: true, exclude: ['target audience'], verify: false }],
  });
export type MatchRules = z.infer<typeof MatchRules>;

/** The rules of a brand for which none were given. */
export const defaultMatchRules: MatchRules = { case_sensitive: false, exclude: [], verify: false };

/** Advice on a name or alias that leads to wrong mentions. */
export const BrandWarning = z
  .strictObject({
    code: z
      .enum(['common_word'])
      .meta({ id: 'BrandWarningCode' })
      .describe('`common_word`: answers use the name or alias as an ordinary word. More codes may follow.'),
    field: z
      .enum(['name', 'aliases'])
      .meta({ id: 'BrandWarningField' })
      .describe('Field of the brand that has the value.'),
    value: z.string().describe('The name or alias.'),
    language: z.string().describe('Language in which it is an ordinary word, ISO 639-1.'),
    message: z.string().describe('What to do, for people. Its wording may change.'),
  })
  .meta({
    id: 'BrandWarning',
    examples: [
      {
        code: 'common_word',
        field: 'name',
        value: 'Target',
        language: 'en',
        message: 'Set match.case_sensitive, match.exclude or match.verify, or use a more specific name.',
      },
    ],
  });
export type BrandWarning = z.infer<typeof BrandWarning>;

const brand = {
  id: Uuid,
  name: z.string(),
  domain: z.string().describe('Normalised host of the brand.'),
  is_own: z.boolean().describe('true: tracked own brand; false: competitor row.'),
  external_ref: z.string().nullable(),
  geography: z.string(),
  sunset_at: Timestamp.nullable().describe('When set, the brand is archived.'),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const Brand = z.strictObject(brand).meta({ id: 'Brand' });
export type Brand = z.infer<typeof Brand>;

/** How a brand is recognised in answers. */
const identity = {
  aliases: z.array(z.string()),
  match: MatchRules,
  warnings: z.array(BrandWarning),
};

const Competitor = z
  .strictObject({ id: Uuid, name: z.string(), domain: z.string(), ...identity })
  .meta({ id: 'Competitor' });

const detail = {
  ...brand,
  last_scan_changed_at: Timestamp.nullable().describe(
    'Change token: moves whenever something changes for the brand; null before the first result.',
  ),
  ...identity,
  competitors: z.array(Competitor),
};

export const BrandDetail = z.strictObject(detail).meta({ id: 'BrandDetail' });
export type BrandDetail = z.infer<typeof BrandDetail>;

export const CreatedProperty = z
  .strictObject({ ...detail, markets: z.array(z.string()).describe('Echo of the validated markets.') })
  .meta({ id: 'CreatedProperty' });
export type CreatedProperty = z.infer<typeof CreatedProperty>;

export const LinkedCompetitor = z
  .strictObject({
    ...brand,
    ...identity,
    reused: z.boolean().describe('true when an existing row of the organisation was reused.'),
  })
  .meta({ id: 'LinkedCompetitor' });
export type LinkedCompetitor = z.infer<typeof LinkedCompetitor>;

const CompetitorOutcome = z
  .strictObject({
    name: z.string(),
    domain: z.string(),
    status: z.enum(['applied', 'failed', 'not_attempted']).meta({ id: 'CompetitorStatus' }),
    competitor_id: Uuid.optional(),
    reused: z.boolean().optional(),
    error: z
      .strictObject({ code: z.string(), message: z.string() })
      .meta({ id: 'CompetitorError' })
      .optional(),
  })
  .meta({ id: 'CompetitorOutcome' });

/** `details` of a property creation that failed after the brand was created. */
export const PropertyPartialFailure = z
  .strictObject({
    brand_id: Uuid,
    brand: CreatedProperty,
    competitors: z.array(CompetitorOutcome),
  })
  .meta({ id: 'PropertyPartialFailure' });
export type PropertyPartialFailure = z.infer<typeof PropertyPartialFailure>;

export const BrandSummary = z
  .strictObject({
    id: Uuid,
    name: z.string(),
    domain: z.string(),
    external_ref: z.string().nullable(),
    geography: z.string(),
    score: Percent.nullable(),
    previous_score: Percent.nullable(),
    score_change: z.number().min(-100).max(100).nullable(),
    score_date: z.iso.date().nullable(),
    change_verdict: Verdict.nullable()
      .describe(
        'Whether the score of 7 days differs from that of the 7 days before, at the newest day whose scan was evaluated. Imports and reprocess jobs count from the next scan on. null before the first evaluated scan.',
      )
      .meta({ examples: ['up'] }),
    sentiment: Percent.nullable(),
    share_of_voice: Percent.nullable(),
    average_position: z.number().min(1).nullable(),
    active_prompts: Count,
    last_scan_at: Timestamp.nullable(),
    last_scan_status: z.enum(['completed', 'partial', 'failed']).meta({ id: 'EndedScanStatus' }).nullable(),
    scan_in_progress: z.boolean(),
    changed_at: Timestamp.nullable(),
  })
  .meta({ id: 'BrandSummary' });
export type BrandSummary = z.infer<typeof BrandSummary>;
