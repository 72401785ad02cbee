import { z } from 'zod';
import { CalendarDate, Count, Percent, PlatformId, Timestamp, Uuid } from '../scalars.ts';

export const AveragePosition = z.number().min(1);

const PlatformScore = z
  .strictObject({
    platform: PlatformId.describe('AI platform.'),
    score: Percent.nullable().describe(
      'Score over the answers of the platform, 0 to 100; null without an answer.',
    ),
    mention_rate: Percent.nullable().describe(
      'Share of the answers of the platform that mention the brand, 0 to 100; null without an answer.',
    ),
    units_answered: Count.describe('Units of the platform with an answer.'),
  })
  .meta({ id: 'PlatformScore' });

const ServedModel = z
  .strictObject({
    platform: PlatformId.describe('AI platform.'),
    model: z.string().nullable().describe('As the platform names it; null if it named none.'),
    units: Count.describe('Answered units.'),
  })
  .meta({ id: 'ServedModel', examples: [{ platform: 'chatgpt', model: 'gpt-6.1-terra', units: 50 }] });

/** Days that a score row pools: one, or the 7 or 28 up to its `run_date`. */
export const ScoreWindow = z.enum(['day', '7d', '28d']).meta({ id: 'ScoreWindow' });
const PooledWindow = ScoreWindow.exclude(['day']).meta({ id: 'PooledWindow' });
export type ScoreWindow = z.infer<typeof ScoreWindow>;

const bound = (figure: string, side: string) =>
  `${side} 95 % bound of the ${figure}, with a prompt as a cluster. Only in rows of a window.`;
const lowAndHigh = <Name extends string>(name: Name, figure: string, value: z.ZodNumber) =>
  ({
    [`${name}_low`]: value.nullable().optional().describe(bound(figure, 'Lower')),
    [`${name}_high`]: value.nullable().optional().describe(bound(figure, 'Upper')),
  }) as Record<`${Name}_low` | `${Name}_high`, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>;

const windowBounds = {
  ...lowAndHigh('citation_rate', 'citation rate', Percent),
  ...lowAndHigh('share_of_voice', 'share of voice', Percent),
  ...lowAndHigh('average_position', 'average position', AveragePosition),
};

export const Score = z
  .strictObject({
    brand_id: Uuid.describe('Id of the own brand.'),
    run_date: CalendarDate.describe('Day of the row (UTC); in a row of a `window` its last day.'),
    country: z.string().nullable().describe('Market of the series; null for the series over all markets.'),
    score: Percent.nullable().describe(
      'Visibility of the brand, 0 to 100: mean over the answers, 100 for the first position, less for later ones, 0 without a mention. null without an answer.',
    ),
    previous_score: Percent.nullable().describe(
      'Score of the latest earlier row of the series; null without one.',
    ),
    change: z
      .number()
      .min(-100)
      .max(100)
      .nullable()
      .describe(
        '`score` minus `previous_score`; null if one of them is. Often chance: compareScores says whether it is.',
      ),
    mention_rate: Percent.nullable().describe(
      'Share of the answers that mention the brand, 0 to 100. null without an answer.',
    ),
    mention_rate_low: Percent.nullable().describe(
      'Lower end of the 95 % Wilson interval of the mention rate. null without an answer.',
    ),
    mention_rate_high: Percent.nullable().describe(
      'Upper end of the 95 % Wilson interval of the mention rate. null without an answer.',
    ),
    average_position: AveragePosition.nullable().describe(
      'Mean position of the brand in the answers that mention it; 1 is first. null without a mention.',
    ),
    sentiment: Percent.nullable().describe(
      'Mean tone towards the brand in the answers that mention it, 0 to 100; 50 is neutral. null without a mention.',
    ),
    citation_rate: Percent.nullable().describe(
      'Share of the answers that cite the domain of the brand, 0 to 100, without those of `units_citations_unknown`. null without any other.',
    ),
    share_of_voice: Percent.nullable().describe(
      'Mentions of the brand as a share of those of all tracked brands, 0 to 100. null without any mention.',
    ),
    units_total: Count.describe('Units with an answer, plus units to which the platform gave none.'),
    units_answered: Count.describe('Units with an answer.'),
    units_mentioned: Count.describe('Units whose answer mentions the brand.'),
    units_cited: Count.describe('Units whose answer cites the domain of the brand.'),
    units_citations_unknown: Count.nullable()
      .describe(
        'Answered units with `sources_unresolved` that do not cite the domain of the brand: no part of the citation rate. null in rows that were computed before the field existed.',
      )
      .meta({ examples: [0] }),
    units_mentioned_cited: Count.nullable()
      .describe(
        'Units whose answer mentions the brand and cites its domain. null in rows that were computed before the field existed.',
      )
      .meta({ examples: [12] }),
    units_informative: Count.nullable()
      .describe(
        'Units whose answer names a tracked brand or another one. null in rows that were computed before the field existed.',
      )
      .meta({ examples: [25] }),
    informative_rate: Percent.nullable()
      .describe(
        '`units_informative` as a share of the answered units with a stored text, 0 to 100. null without any.',
      )
      .meta({ examples: [86.21] }),
    position_sum: Count.describe(
      'Sum of the positions in the answers that mention the brand, to pool rows yourself.',
    ),
    sentiment_sum: z.number().min(0).describe('Sum of the sentiments, to pool rows yourself.'),
    sentiment_count: Count.describe('Answers with a sentiment of the brand.'),
    platforms: z.array(PlatformScore).describe('Figures of each AI platform with units on the day.'),
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
    ...windowBounds,
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
        'Version of the extraction and formulas; `+llm` when the LLM judge rated a sentiment. Several, separated by commas, if the answers of the day were read by other versions than the day was scored by. In a row of a window all versions of its days.',
      ),
    computed_at: Timestamp.describe('When the row was last computed.'),
  })
  .meta({ id: 'Score' });
export type Score = z.infer<typeof Score>;

export const ShareOfVoice = z
  .strictObject({
    run_date: CalendarDate.describe('Day of the row (UTC).'),
    brand_id: Uuid.describe('Id of the brand.'),
    name: z.string().describe('Current name of the brand.'),
    domain: z.string().describe('Normalised host of the brand.'),
    is_own: z.boolean().describe('true for the own brand, false for a competitor.'),
    share_of_voice: Percent.nullable().describe(
      '`mentions` as a share of `total_mentions`, 0 to 100; null if no tracked brand is mentioned.',
    ),
    mentions: Count.describe('Answers that mention the brand.'),
    total_mentions: Count.describe('Sum of `mentions` over the own brand and its competitors.'),
    units_answered: Count.describe('Answers that were searched for the brand.'),
    mention_rate: Percent.nullable().describe(
      '`mentions` as a share of `units_answered`, 0 to 100; null without an answer.',
    ),
    average_position: AveragePosition.nullable().describe(
      'Mean position of the brand in the answers that mention it; 1 is first. null without a mention.',
    ),
    rank: z.int().min(1).describe('Rank by `mentions`; 1 is first. Equal brands share a rank.'),
  })
  .meta({ id: 'ShareOfVoice' });
export type ShareOfVoice = z.infer<typeof ShareOfVoice>;
