import { z } from 'zod';
import { Surface } from '../methodology/platform-surfaces.ts';
import { Localization, maxUnresolvedSources, Outcome } from '../resources/result.ts';
import { CalendarDate, Count, PathId, Percent, PlatformId, text, Timestamp } from '../scalars.ts';

/** A market with the same rules as the filter of the lists, so that every stored market can be queried. */
const ImportedMarket = text(1, 256, { trim: true })
  .transform((token) => token.toUpperCase())
  .pipe(text(1, 256));

/** A URL that can be stored, with a host of at most the length of a DNS name. */
const SourceUrl = text(1, 4096)
  .pipe(z.url({ protocol: /^https?$/ }))
  // The rule above has already reported an invalid URL.
  .refine((url) => !URL.canParse(url) || new URL(url).hostname.length <= 253, {
    message: 'Invalid URL: the host name is too long',
    params: { code: 'invalid_format' },
  });

const ImportedBrand = z
  .object({
    brand_id: PathId.describe('Id of a tracked brand: the own brand, or one of its competitors.'),
    position: z
      .int()
      .min(1)
      .max(10_000)
      .nullable()
      .describe('Rank by first occurrence, from 1; null without a mention.'),
    sentiment: Percent.nullable().describe('Tone towards the brand, 0 to 100; null without one.'),
    mention_count: Count.max(1_000_000)
      .optional()
      .describe('Occurrences in the answer. When omitted: 1 with a position, else 0.'),
    cited: z.boolean().optional().describe('Computed from the cited sources when omitted.'),
  })
  .meta({ id: 'ImportedBrand' });

const ImportedSource = z
  .object({
    url: SourceUrl.describe('Address of the page.'),
    title: text(0, 1000, { allowControl: true })
      .nullable()
      .optional()
      .describe('Title of the page; null or omitted without one.'),
    cited: z.boolean().default(true).describe('Whether the answer cites the page; `true` when omitted.'),
  })
  .meta({ id: 'ImportedSource' });

/** One finalised unit of an import. */
export const ImportedUnit = z
  .object({
    unit_id: PathId.optional().describe(
      'Id of the unit, which makes the line idempotent. Generated when omitted.',
    ),
    brand_id: PathId.describe('Id of the own brand of the prompt.'),
    prompt_id: PathId.describe('Id of the prompt.'),
    platform: PlatformId.describe('AI platform that gave the answer.'),
    country: ImportedMarket.describe('Market of the unit, ISO 3166-1 alpha-2.'),
    run_date: CalendarDate.describe('UTC day of the measurement.'),
    finalized_at: Timestamp.optional().describe(
      'When the unit was finalised. The time of the import when omitted.',
    ),
    outcome: Outcome.describe('`answered`, `no_answer`, or `failed`, which is skipped.'),
    answer_text: text(0, 1_000_000, { allowControl: true })
      .nullable()
      .optional()
      .describe(
        'Text of the answer; null or omitted without one. Tracked brands are taken from `brands`; other names are searched for in it.',
      ),
    model: text(1, 200)
      .nullable()
      .optional()
      .describe('Model that gave the answer; null or omitted if it is not known.'),
    surface: Surface.optional().describe('Where the answer comes from. That of the platform when omitted.'),
    search_used: z
      .boolean()
      .nullable()
      .optional()
      .describe('Whether the platform searched the web; null or omitted if it is not known.'),
    search_queries: z
      .array(text(1, 500))
      .max(20)
      .optional()
      .describe('Web searches of the platform, at most 20.'),
    localization: Localization.optional()
      .describe('How the market was passed. `none` when omitted.')
      .meta({ 'x-enum-varnames': ['native_setting', 'prompt_text', 'not_passed'] }),
    collector: text(1, 50)
      .nullable()
      .optional()
      .describe('Who collected the answer; null or omitted if it is not known.'),
    sources_unresolved: Count.max(maxUnresolvedSources)
      .optional()
      .describe(
        'Cited links whose page is not known and that are not among `sources`. Links of `sources` behind a known redirect of a platform are added.',
      ),
    brands: z
      .array(ImportedBrand)
      // An own brand with the maximum number of competitors.
      .max(251)
      .describe(
        'Tracked brands that were searched for in the answer, at most 251. Tracked brands that are missing count as not mentioned.',
      ),
    sources: z
      .array(ImportedSource)
      .max(500)
      .describe('Web pages of the answer, in their order, at most 500. Links to the same page count as one.'),
  })
  .meta({ id: 'ImportedUnit' });
export type ImportedUnit = z.infer<typeof ImportedUnit>;

/** A unit without a result. It is accepted, so that an export can be sent as it is, but not stored. */
const FailedUnit = ImportedUnit.extend({
  outcome: z.literal('failed').describe('`failed`: the line is skipped, not stored.'),
  brands: ImportedUnit.shape.brands.optional(),
  sources: ImportedUnit.shape.sources.optional(),
}).meta({ id: 'FailedUnit' });

/** One line of a results import. */
export const ImportLine = z
  .discriminatedUnion('outcome', [ImportedUnit, FailedUnit])
  .meta({ id: 'ImportLine' });

/** AI platforms did not exist before this date. An earlier date is an error of the export. */
export const firstRunDate = '2015-01-01';
