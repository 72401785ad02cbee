import { z } from 'zod';
import { Surface } from '../methodology/platform-surfaces.ts';
import { CalendarDate, Count, Percent, PlatformId, Timestamp, Uuid } from '../scalars.ts';

const Position = z.int().min(1);
const AveragePosition = z.number().min(1);

export const Mention = z
  .strictObject({
    prompt_id: Uuid,
    run_date: CalendarDate,
    platform: PlatformId,
    country: z.string(),
    finalized_at: Timestamp,
    mentioned: z.boolean(),
    position: Position.nullable(),
    sentiment: Percent.nullable(),
  })
  .meta({ id: 'Mention' });
export type Mention = z.infer<typeof Mention>;

export const sourceCategories = [
  'own',
  'competitor',
  'news',
  'reference',
  'forum',
  'social',
  'directory',
  'review',
  'ecommerce',
  'video',
  'blog',
  'academic',
  'institution',
  'other',
] as const;
export const SourceCategory = z.enum(sourceCategories).meta({ id: 'SourceCategory' });

export const Localization = z.enum(['native', 'prompt', 'none']).meta({ id: 'Localization' });
export const Outcome = z.enum(['answered', 'no_answer']).meta({ id: 'Outcome' });
export const SentimentMethod = z.enum(['lexicon', 'llm']).meta({ id: 'SentimentMethod' });
export const MentionMethod = z.enum(['words', 'words+llm']).meta({ id: 'MentionMethod' });

/** Where an answer mentions a brand. */
export const Evidence = z
  .strictObject({
    start: Count.describe('Offset of the first character in `answer_text`, in Unicode code points.'),
    end: Count.describe('Offset after the last character, in Unicode code points.'),
  })
  .meta({ id: 'Evidence', examples: [{ start: 12, end: 16 }] });
export type Evidence = z.infer<typeof Evidence>;
/** Occurrences beyond these are only counted. */
export const maxEvidence = 3;

const ResultBrand = z
  .strictObject({
    brand_id: Uuid,
    name: z.string(),
    domain: z.string(),
    is_own: z.boolean(),
    mentioned: z.boolean(),
    mention_count: Count,
    position: Position.nullable(),
    sentiment: Percent.nullable(),
    cited: z.boolean(),
    evidence: z.array(Evidence).max(maxEvidence),
  })
  .meta({ id: 'ResultBrand' });

const ResultSource = z
  .strictObject({
    position: Position.describe('Rank of the source in the answer; 1 is first.'),
    url: z.string(),
    domain: z.string(),
    title: z.string().nullable(),
    cited: z.boolean().describe('Whether the answer cites the source. Otherwise the platform only read it.'),
    category: SourceCategory,
  })
  .meta({ id: 'ResultSource' });

export const PromptResult = z
  .strictObject({
    id: Uuid,
    prompt_id: Uuid,
    brand_id: Uuid,
    scan_id: Uuid.nullable(),
    run_date: CalendarDate,
    platform: PlatformId,
    surface: Surface.meta({
      description:
        'Where answers of the platform come from: its `api`, or `serp`, a search results page. Imported answers may come from elsewhere.',
      examples: ['api'],
    }),
    country: z.string(),
    finalized_at: Timestamp,
    outcome: Outcome,
    mentioned: z.boolean(),
    mention_method: MentionMethod,
    position: Position.nullable(),
    sentiment: Percent.nullable(),
    sentiment_method: SentimentMethod.nullable(),
    cited: z.boolean(),
    answer_text: z.string().nullable(),
    answer_truncated: z.boolean(),
    model: z.string().nullable(),
    search_used: z.boolean().nullable(),
    localization: Localization,
    search_queries: z.array(z.string()),
    brands: z.array(ResultBrand),
    sources: z.array(ResultSource),
  })
  .meta({ id: 'PromptResult' });
export type PromptResult = z.infer<typeof PromptResult>;

const PlatformScore = z
  .strictObject({
    platform: PlatformId,
    score: Percent.nullable(),
    mention_rate: Percent.nullable(),
    units_answered: Count,
  })
  .meta({ id: 'PlatformScore' });

const ServedModel = z
  .strictObject({
    platform: PlatformId,
    model: z.string().nullable().describe('As the platform names it; null if it named none.'),
    units: Count.describe('Answered units.'),
  })
  .meta({ id: 'ServedModel', examples: [{ platform: 'chatgpt', model: 'gpt-5-mini', units: 50 }] });

/** Days that a score row pools: one, or the 7 or 28 up to its `run_date`. */
export const ScoreWindow = z.enum(['day', '7d', '28d']).meta({ id: 'ScoreWindow' });
const PooledWindow = ScoreWindow.exclude(['day']).meta({ id: 'PooledWindow' });
export type ScoreWindow = z.infer<typeof ScoreWindow>;

export const Score = z
  .strictObject({
    brand_id: Uuid,
    run_date: CalendarDate,
    country: z.string().nullable().describe('null in the all-market series.'),
    score: Percent.nullable(),
    previous_score: Percent.nullable(),
    change: z.number().min(-100).max(100).nullable(),
    mention_rate: Percent.nullable(),
    mention_rate_low: Percent.nullable().describe('Lower end of the 95 % Wilson interval.'),
    mention_rate_high: Percent.nullable().describe('Upper end of the 95 % Wilson interval.'),
    average_position: AveragePosition.nullable(),
    sentiment: Percent.nullable(),
    citation_rate: Percent.nullable(),
    share_of_voice: Percent.nullable(),
    units_total: Count,
    units_answered: Count,
    units_mentioned: Count,
    units_cited: Count,
    position_sum: Count,
    sentiment_sum: z.number().min(0),
    sentiment_count: Count,
    platforms: z.array(PlatformScore),
    models: z.array(ServedModel).describe('Models that gave the answers of the row, by platform.'),
    model_changed: z
      .boolean()
      .nullable()
      .describe(
        'Whether a platform of both rows served another set of models in the previous row of the series. Unknown models do not count. null without a previous row.',
      )
      .meta({ examples: [false] }),
    prompts_measured: Count.describe('Distinct prompts with an answered unit.').meta({ examples: [50] }),
    window: PooledWindow.optional().describe(
      'Days that the row pools, up to `run_date`. Only in rows of a window.',
    ),
    units_effective: z
      .number()
      .min(0)
      .optional()
      .describe(
        'Number of independent answers that have the same precision: answers to one prompt resemble each other. Two decimals. Only in rows of a window.',
      )
      .meta({ examples: [412.35] }),
    method_version: z
      .string()
      .describe(
        'Version of the extraction and formulas; `+llm` when the LLM judge rated a sentiment. In a row of a window all versions of its days, separated by commas.',
      ),
    computed_at: Timestamp,
  })
  .meta({ id: 'Score' });
export type Score = z.infer<typeof Score>;

export const ShareOfVoice = z
  .strictObject({
    run_date: CalendarDate,
    brand_id: Uuid,
    name: z.string(),
    domain: z.string(),
    is_own: z.boolean(),
    share_of_voice: Percent.nullable(),
    mentions: Count,
    total_mentions: Count,
    units_answered: Count,
    mention_rate: Percent.nullable(),
    average_position: AveragePosition.nullable(),
    rank: z.int().min(1),
  })
  .meta({ id: 'ShareOfVoice' });
export type ShareOfVoice = z.infer<typeof ShareOfVoice>;

const CitedPage = z
  .strictObject({ url: z.string(), title: z.string().nullable(), citations: Count })
  .meta({ id: 'CitedPage' });

const PlatformCitations = z
  .strictObject({ platform: PlatformId, citations: Count })
  .meta({ id: 'PlatformCitations' });

export const Source = z
  .strictObject({
    domain: z.string(),
    category: SourceCategory,
    is_own: z.boolean(),
    competitor_id: Uuid.nullable(),
    citations: Count,
    units_cited: Count,
    citation_share: Percent.nullable(),
    citation_rate: Percent.nullable(),
    units_answered: Count,
    pages: Count,
    top_pages: z.array(CitedPage).max(5),
    platforms: z.array(PlatformCitations),
    countries: z.array(z.string()),
    mentioned_rate: Percent.nullable(),
    first_seen: CalendarDate,
    last_seen: CalendarDate,
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof Source>;
