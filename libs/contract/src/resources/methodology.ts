import { z } from 'zod';
import { detectionRules } from '../methodology/detection-rules.ts';
import { Formula, formulas } from '../methodology/formulas.ts';
import { knownLimits } from '../methodology/known-limits.ts';
import { lexiconAccuracy } from '../methodology/lexicon-accuracy.ts';
import { currentMethodVersion, MethodVersion, methodVersions } from '../methodology/method-versions.ts';
import { Surface } from '../methodology/platform-surfaces.ts';
import { SentimentAccuracy } from '../methodology/sentiment-accuracy.ts';
import { CalendarDate, Count, PlatformId } from '../scalars.ts';
import { Localization, SentimentMethod } from './result.ts';

const Language = z.string().describe('ISO 639-1 code.');

const Detection = z
  .strictObject({
    rules: z
      .array(z.string())
      .describe('How answers are searched for brands, for people. The wording may change.'),
    languages: z
      .array(Language)
      .describe('Languages in which statements that nothing is known of a brand are recognised.'),
    case_ending_languages: z
      .array(Language)
      .describe('Languages in which a name also counts with a case ending.'),
  })
  .meta({ id: 'MethodologyDetection' });

const Sentiment = z
  .strictObject({
    default_method: SentimentMethod.describe(
      'Method that rates a sentiment first. The lexicon rates what the LLM judge does not.',
    ),
    llm_model: z.string().nullable().describe('Model of the LLM judge; null if it is off.'),
    lexicon_languages: z
      .array(Language)
      .describe('Languages with word lists. The lexicon rates mentions in others 50.'),
    accuracy: z
      .array(SentimentAccuracy)
      .describe(
        'Agreement with a person on mentions that no word list was built on: of all, by label, by language. A method without an entry was not measured, such as the LLM judge.',
      ),
  })
  .meta({ id: 'MethodologySentiment' });

export const MeasuredPlatform = z
  .strictObject({
    platform: PlatformId.describe('AI platform.'),
    surface: Surface.describe('`api`: the API of the platform. `serp`: a search results page.'),
    model: z
      .string()
      .nullable()
      .describe(
        'Model that is requested; null for AI Overviews. `model` of a result is the one that answered.',
      ),
    provider: z
      .enum(['serpapi', 'dataforseo'])
      .meta({ id: 'SearchResultsProvider' })
      .nullable()
      .describe('Provider of the search results pages; null for platforms that are asked by their own API.'),
    search: z
      .enum(['forced', 'automatic'])
      .meta({ id: 'SearchMode' })
      .describe(
        '`forced`: the request makes the platform search. `automatic`: the platform decides; `search_used` of a result says whether it did.',
      ),
    localization: Localization.describe(
      'How the market is passed first: `native` setting, `prompt` text or `none`. For a market that the setting does not support, `native` becomes `prompt`.',
    ),
  })
  .meta({ id: 'MeasuredPlatform' });
export type MeasuredPlatform = z.infer<typeof MeasuredPlatform>;

const Cadence = z
  .strictObject({
    per_day: Count.describe(
      'Scheduled scans of a brand in a UTC day; 0 if the schedule is off. Requested scans are additional.',
    ),
    samples_per_unit: Count.describe('Answers to one prompt, in one country, on one platform, in one scan.'),
  })
  .meta({ id: 'MethodologyCadence' });

/** What of a platform's answers can change their shape, as the operator's metric names it. */
export const DriftKind = z
  .enum(['no_answer', 'sources', 'unresolved_links', 'largest_source', 'text_length', 'no_model'])
  .meta({ id: 'DriftKind' });
export type DriftKind = z.infer<typeof DriftKind>;

export const PlatformDrift = z
  .strictObject({
    platform: PlatformId.describe('AI platform.'),
    from: CalendarDate.describe('First day (UTC) that differs from the 14 days before it.'),
    kind: DriftKind.describe(
      'What differs. Shares of answers: without a text (`no_answer`), with sources (`sources`), with links whose page is unknown (`unresolved_links`). Also those that cite the most cited domain (`largest_source`) or lack the name of a model (`no_model`). `text_length`: the median length.',
    ),
  })
  .meta({
    id: 'PlatformDrift',
    examples: [{ platform: 'ai_overviews', from: '2026-11-18', kind: 'unresolved_links' }],
  });
export type PlatformDrift = z.infer<typeof PlatformDrift>;

export const Methodology = z
  .strictObject({
    method_version: z
      .string()
      .describe(
        'Current version of the extraction and formulas. `method_version` of a score appends `+llm` if the LLM judge rated an answer.',
      ),
    formulas: z
      .array(Formula)
      .describe('One entry per computed field of scores, share of voice and sources.'),
    detection: Detection.describe('How mentions and citations are found.'),
    sentiment: Sentiment.describe('How sentiment is rated.'),
    platforms: z
      .array(MeasuredPlatform)
      .describe('Platforms that are measured, with their settings. Units of other platforms fail.'),
    cadence: Cadence.describe('How often brands are measured.'),
    markets: z.array(z.string()).describe('Markets that can be measured (ISO 3166-1 alpha-2), sorted.'),
    drift: z
      .array(PlatformDrift)
      .describe(
        'Platforms whose answers, over all brands of the service, changed their shape in the last 90 days, oldest first.',
      ),
    known_limits: z
      .array(z.string())
      .describe('What the figures cannot show, for people. The wording may change.'),
    versions: z.array(MethodVersion).describe('Every version of the method, newest first.'),
  })
  .meta({
    id: 'Methodology',
    examples: [
      {
        method_version: currentMethodVersion,
        formulas: formulas.slice(0, 1),
        detection: {
          rules: detectionRules.slice(1, 2),
          languages: ['de', 'en'],
          case_ending_languages: ['pl'],
        },
        sentiment: {
          default_method: 'llm',
          llm_model: 'gpt-6-luna',
          lexicon_languages: ['de', 'en'],
          accuracy: lexiconAccuracy.slice(0, 1),
        },
        platforms: [
          {
            platform: 'chatgpt',
            surface: 'api',
            model: 'gpt-6.1-terra',
            provider: null,
            search: 'forced',
            localization: 'native',
          },
        ],
        cadence: { per_day: 1, samples_per_unit: 1 },
        markets: ['DE', 'US'],
        drift: [{ platform: 'ai_overviews', from: '2026-11-18', kind: 'unresolved_links' }],
        known_limits: knownLimits.slice(0, 1),
        versions: methodVersions.slice(0, 1),
      },
    ],
  });
export type Methodology = z.infer<typeof Methodology>;
