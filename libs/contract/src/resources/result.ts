import { z } from 'zod';
import { Surface } from '../methodology/platform-surfaces.ts';
import { CalendarDate, Count, Percent, PlatformId, Timestamp, Uuid } from '../scalars.ts';
import { SourceCategory } from './source.ts';

const Position = z.int().min(1);

export const Mention = z
  .strictObject({
    prompt_id: Uuid.describe('Id of the prompt.'),
    run_date: CalendarDate.describe('UTC day of the scan.'),
    platform: PlatformId.describe('AI platform that gave the answer.'),
    country: z.string().describe('Market of the unit, ISO 3166-1 alpha-2. Imports may have other values.'),
    finalized_at: Timestamp.describe('When the unit was finalised.'),
    mentioned: z.boolean().describe('Whether the answer mentions the own brand. false without an answer.'),
    position: Position.nullable().describe(
      'Rank of the own brand by first occurrence among the tracked brands; 1 is first. null without a mention.',
    ),
    sentiment: Percent.nullable().describe(
      'Tone towards the own brand, 0 to 100; 50 is neutral. null without a mention.',
    ),
  })
  .meta({ id: 'Mention' });
export type Mention = z.infer<typeof Mention>;

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
/** A name that is not tracked. */
const OtherName = z
  .strictObject({
    name: z.string().describe('As the answer writes it.'),
    start: Count.describe('Offset of the first character in `answer_text`, in Unicode code points.'),
    end: Count.describe('Offset after the last character, in Unicode code points.'),
  })
  .meta({ id: 'OtherName', examples: [{ name: 'Globex', start: 40, end: 46 }] });
/** An answer names no more of them. */
export const maxOtherNames = 50;

/** Occurrences beyond these are only counted. */
export const maxEvidence = 3;

const ResultBrand = z
  .strictObject({
    brand_id: Uuid.describe('Id of the brand.'),
    name: z.string().describe('Name of the brand when the answer was read.'),
    domain: z.string().describe('Normalised host of the brand.'),
    is_own: z.boolean().describe('true for the own brand, false for a competitor.'),
    mentioned: z.boolean().describe('Whether the answer mentions the brand.'),
    mention_count: Count.describe('Occurrences of the brand in the answer.'),
    position: Position.nullable().describe(
      'Rank by first occurrence among the tracked brands; 1 is first. null without a mention.',
    ),
    sentiment: Percent.nullable().describe(
      'Tone towards the brand, 0 to 100; 50 is neutral. null without a mention.',
    ),
    cited: z.boolean().describe('Whether the answer cites the domain of the brand.'),
    evidence: z
      .array(Evidence)
      .max(maxEvidence)
      .describe(
        'Where the answer mentions the brand: the first three occurrences. Empty without a mention, and for imported answers.',
      ),
  })
  .meta({ id: 'ResultBrand' });

const ResultSource = z
  .strictObject({
    position: Position.describe('Rank of the source in the answer; 1 is first.'),
    url: z.string().describe('Address of the page.'),
    domain: z.string().describe('Registrable domain of the page.'),
    title: z.string().nullable().describe('Title of the page; null if the platform gave none.'),
    cited: z.boolean().describe('Whether the answer cites the source. Otherwise the platform only read it.'),
    category: SourceCategory,
  })
  .meta({ id: 'ResultSource' });

/** More are counted as this many. */
export const maxUnresolvedSources = 100;

export const PromptResult = z
  .strictObject({
    id: Uuid.describe('Id of the unit.'),
    prompt_id: Uuid.describe('Id of the prompt.'),
    brand_id: Uuid.describe('Id of the own brand.'),
    scan_id: Uuid.nullable().describe('Id of the scan job; null for an imported answer.'),
    run_date: CalendarDate.describe('UTC day of the scan.'),
    platform: PlatformId.describe('AI platform that gave the answer.'),
    surface: Surface.meta({
      description:
        'Where the answer comes from: the `api` of the platform, `serp`, a search results page, or `app`, what a person sees (imported answers only).',
      examples: ['api'],
    }),
    collector: z
      .string()
      .nullable()
      .describe(
        'Who collected the answer, as its import names it. null for scans, and if the import does not say.',
      )
      .meta({ examples: ['panel-eu'] }),
    country: z.string().describe('Market of the unit, ISO 3166-1 alpha-2. Imports may have other values.'),
    finalized_at: Timestamp.describe('When the unit was finalised.'),
    outcome: Outcome.describe(
      '`answered`, or `no_answer` if the platform responded without an answer. Units that failed have no result.',
    ),
    mentioned: z.boolean().describe('Whether the answer mentions the own brand. false without an answer.'),
    mention_method: MentionMethod.describe(
      'Method that decided the mentions: `words`, or `words+llm` if the LLM judge evaluated every brand with `match.verify` that the words found.',
    ),
    position: Position.nullable().describe(
      'Rank of the own brand by first occurrence among the tracked brands; 1 is first. null without a mention.',
    ),
    sentiment: Percent.nullable().describe(
      'Tone towards the own brand, 0 to 100; 50 is neutral. null without a mention.',
    ),
    sentiment_method: SentimentMethod.nullable().describe(
      'Method that rated all sentiments of the answer: `lexicon` or `llm`. null if no brand has a sentiment, and for imported answers.',
    ),
    cited: z
      .boolean()
      .describe(
        'Whether the answer cites the domain of the own brand. If false, and `sources_unresolved` is not 0, it may cite it.',
      ),
    answer_text: z
      .string()
      .nullable()
      .describe(
        'Text of the answer, at most 32 KiB; null without an answer, for an import without a text, and after the retention of texts.',
      ),
    answer_truncated: z
      .boolean()
      .describe(
        'Whether the text is incomplete: the platform stopped early, or the text was longer than what is stored.',
      ),
    model: z
      .string()
      .nullable()
      .describe('Model that gave the answer, as the platform names it; null if it named none.'),
    search_used: z
      .boolean()
      .nullable()
      .describe('Whether the platform searched the web for the answer; null if it is not known.'),
    localization: Localization.describe(
      'How the market was passed: `native` by a setting of the platform, `prompt` by a sentence before the prompt, `none` not at all.',
    ),
    search_queries: z.array(z.string()).describe('Web searches that the platform reported.'),
    brands: z
      .array(ResultBrand)
      .describe(
        'The own brand, then its competitors in the order of their links. `position` has the order in the answer.',
      ),
    others: z
      .array(OtherName)
      .max(maxOtherNames)
      .describe(
        'Names of companies, brands or products that the answer presents and that are not tracked, each at its first occurrence. Empty without a stored text.',
      ),
    informative: z
      .boolean()
      .nullable()
      .describe(
        'Whether the answer names a tracked brand or another one. null without a stored text, and until a text of an earlier version is reprocessed.',
      )
      .meta({ examples: [true] }),
    sources: z
      .array(ResultSource)
      .describe(
        'Web pages of the answer, cited or only read, in their order. A link of which only the site is known has the root of the site.',
      ),
    sources_unresolved: Count.describe(
      'Cited links whose page is hidden behind a redirect of the platform, counted up to 100. They are not among `sources`.',
    ).meta({ examples: [0] }),
  })
  .meta({ id: 'PromptResult' });
export type PromptResult = z.infer<typeof PromptResult>;
