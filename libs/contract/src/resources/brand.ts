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
      .enum(['common_word', 'inside_other_name'])
      .meta({ id: 'BrandWarningCode' })
      .describe(
        '`common_word`: answers use the name or alias as an ordinary word. `inside_other_name`: it stands inside a name of another tracked brand, and an answer with that longer name does not mention this brand. More codes may follow.',
      ),
    field: z
      .enum(['name', 'aliases'])
      .meta({ id: 'BrandWarningField' })
      .describe('Field of the brand that has the value.'),
    value: z.string().describe('The name or alias.'),
    language: z
      .string()
      .describe(
        'Language in which it is an ordinary word, ISO 639-1; `und` for codes that have nothing to do with one.',
      ),
    other_brand_id: Uuid.optional().describe(
      'Id of the brand with the longer name. Only for `inside_other_name`.',
    ),
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
  id: Uuid.describe('Id of the brand.'),
  name: z.string().describe('Name under which answers mention the brand.'),
  domain: z.string().describe('Normalised host of the brand, such as `acme.com`.'),
  is_own: z.boolean().describe('true for an own brand, which is measured. false for a competitor.'),
  external_ref: z
    .string()
    .nullable()
    .describe(
      'Your own reference of the brand, unique in its organisation. null if it has none, and for competitors.',
    ),
  geography: z
    .string()
    .describe('Where the brand is active, as given by the organisation. `global` if nothing was given.'),
  sunset_at: Timestamp.nullable().describe('When the brand was archived; null if it is not.'),
  created_at: Timestamp.describe('When the brand was created.'),
  updated_at: Timestamp.describe(
    'When the brand or its list of competitors last changed. Results and prompts do not count.',
  ),
};

export const Brand = z.strictObject(brand).meta({ id: 'Brand' });
export type Brand = z.infer<typeof Brand>;

/** How a brand is recognised in answers. */
const identity = {
  aliases: z.array(z.string()).describe('Further names under which answers mention the brand.'),
  match: MatchRules.describe('What counts as a mention of the brand.'),
  warnings: z.array(BrandWarning).describe('Advice on names that lead to wrong mentions. Empty without any.'),
};

const Competitor = z
  .strictObject({
    id: Uuid.describe('Id of the competitor.'),
    name: z.string().describe('Name under which answers mention the competitor.'),
    domain: z.string().describe('Normalised host of the competitor.'),
    ...identity,
  })
  .meta({ id: 'Competitor' });

const detail = {
  ...brand,
  last_scan_changed_at: Timestamp.nullable().describe(
    'Change token: moves with every change of the results of the brand. null before the first result.',
  ),
  ...identity,
  competitors: z.array(Competitor).describe('Competitors of the brand. Empty for a competitor.'),
};

export const BrandDetail = z.strictObject(detail).meta({ id: 'BrandDetail' });
export type BrandDetail = z.infer<typeof BrandDetail>;

export const CreatedProperty = z
  .strictObject({
    ...detail,
    markets: z.array(z.string()).describe('The `markets` of the request. They are not stored.'),
  })
  .meta({ id: 'CreatedProperty' });
export type CreatedProperty = z.infer<typeof CreatedProperty>;

export const LinkedCompetitor = z
  .strictObject({
    ...brand,
    ...identity,
    reused: z
      .boolean()
      .describe(
        'true if the organisation already had a competitor with this domain. It keeps its name, aliases and match rules.',
      ),
    reprocess_advised: z
      .boolean()
      .describe(
        'true if the own brand has results. `score` and share of voice depend on the tracked brands: `reprocessBrand` searches the stored answers for the new one too.',
      ),
  })
  .meta({ id: 'LinkedCompetitor' });
export type LinkedCompetitor = z.infer<typeof LinkedCompetitor>;

const CompetitorOutcome = z
  .strictObject({
    name: z.string().describe('Name of the competitor, as sent.'),
    domain: z.string().describe('Domain of the competitor, as sent.'),
    status: z
      .enum(['applied', 'failed', 'not_attempted'])
      .meta({ id: 'CompetitorStatus' })
      .describe(
        '`applied`: linked. `failed`: refused with `error`. `not_attempted`: an earlier one reached the limit.',
      ),
    competitor_id: Uuid.optional().describe('Id of the competitor. Only if it was linked.'),
    reused: z
      .boolean()
      .optional()
      .describe('true if the organisation already had a competitor with this domain. Only if it was linked.'),
    error: z
      .strictObject({
        code: z.string().describe('Error code, one of the list of codes.'),
        message: z.string().describe('For people. The wording may change.'),
      })
      .meta({ id: 'CompetitorError' })
      .optional()
      .describe('Why it was refused. Only if it failed.'),
  })
  .meta({ id: 'CompetitorOutcome' });

/** `details` of a property creation that failed after the brand was created. */
export const PropertyPartialFailure = z
  .strictObject({
    brand_id: Uuid.describe('Id of the created brand.'),
    brand: CreatedProperty.describe('The created brand.'),
    competitors: z.array(CompetitorOutcome).describe('Outcome of each competitor, in the order of the body.'),
  })
  .meta({ id: 'PropertyPartialFailure' });
export type PropertyPartialFailure = z.infer<typeof PropertyPartialFailure>;

export const BrandSummary = z
  .strictObject({
    id: Uuid.describe('Id of the brand.'),
    name: z.string().describe('Name of the brand.'),
    domain: z.string().describe('Normalised host of the brand.'),
    external_ref: z.string().nullable().describe('Your own reference of the brand; null if it has none.'),
    geography: z.string().describe('Where the brand is active, as given by the organisation.'),
    score: Percent.nullable().describe(
      'Visibility of the brand on `score_date` over all markets, 0 to 100. null before the first result, and without an answer on that day.',
    ),
    previous_score: Percent.nullable().describe(
      'Score of the latest earlier day with results; null without one.',
    ),
    score_change: z
      .number()
      .min(-100)
      .max(100)
      .nullable()
      .describe('`score` minus `previous_score`; null if one of them is.'),
    score_date: z.iso.date().nullable().describe('Latest day with results (UTC); null before the first.'),
    change_verdict: Verdict.nullable()
      .describe(
        'Whether the score of 7 days differs from that of the 7 days before, at the newest day whose scan was evaluated. Imports, reprocess jobs and late scans of earlier days count from the next scan on. null before the first evaluated scan.',
      )
      .meta({ examples: ['up'] }),
    sentiment: Percent.nullable().describe(
      'Mean tone towards the brand on `score_date` in the answers that mention it, 0 to 100; 50 is neutral. null without a mention.',
    ),
    share_of_voice: Percent.nullable().describe(
      'Mentions of the brand on `score_date` as a share of those of all tracked brands, 0 to 100. null without any mention.',
    ),
    average_position: z
      .number()
      .min(1)
      .nullable()
      .describe(
        'Mean position of the brand on `score_date` in the answers that mention it; 1 is first. null without a mention.',
      ),
    active_prompts: Count.describe('Active prompts of the brand.'),
    last_scan_at: Timestamp.nullable().describe('When the last ended scan ended; null before the first.'),
    last_scan_status: z
      .enum(['completed', 'partial', 'failed'])
      .meta({ id: 'EndedScanStatus' })
      .nullable()
      .describe(
        'How the last ended scan ended: `completed`, `partial` (some units failed) or `failed` (all failed). null before the first.',
      ),
    scan_in_progress: z.boolean().describe('Whether a scan of the brand is queued or running.'),
    changed_at: Timestamp.nullable().describe(
      'Change token: moves with every change of the results of the brand. null before the first result.',
    ),
  })
  .meta({ id: 'BrandSummary' });
export type BrandSummary = z.infer<typeof BrandSummary>;
