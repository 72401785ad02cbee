import { z } from 'zod';
import { CalendarDate, Count, Percent, PlatformId } from '../scalars.ts';

/** Fewer prompts say too little about others: a comparison of them has no verdict. */
export const minPrompts = 5;

/** Figures that two windows can be compared by. */
export const ComparedMetric = z
  .enum(['score', 'mention_rate', 'sentiment', 'citation_rate', 'share_of_voice'])
  .meta({ id: 'ComparedMetric' });

/** Figures whose changes are events. */
export const ChangeMetric = ComparedMetric.exclude(['share_of_voice']).meta({ id: 'ChangeMetric' });

/** What a comparison says of a figure. */
export const Verdict = z.enum(['up', 'down', 'no_evidence', 'not_comparable']).meta({ id: 'Verdict' });
export type Verdict = z.infer<typeof Verdict>;

/** The verdicts of a change. */
export const ChangeDirection = Verdict.extract(['up', 'down']).meta({ id: 'ChangeDirection' });

/** Numbers of days of the windows that are compared after each day with scans. */
export const ChangeWindowDays = z.literal([7, 28]).meta({ id: 'ChangeWindowDays' });

/** Levels of confidence of a change, ascending. At the first one a change is what a verdict says. */
export const ChangeConfidence = z.literal([0.95, 0.99, 0.999, 0.9999]).meta({ id: 'ChangeConfidence' });
export type ChangeConfidence = z.infer<typeof ChangeConfidence>;

/** Levels of confidence of a comparison, ascending. */
export const comparisonConfidences = [0.8, 0.9, 0.95, 0.99, 0.999, 0.9999] as const;

/** Why figures cannot be compared, in the order in which the reasons are listed. */
const BlockingReason = z.enum([
  'too_few',
  'model_changed',
  'surface_changed',
  'method_changed',
  'competitors_changed',
  'incomplete',
  'unequal_answers',
]);
export type BlockingReason = z.infer<typeof BlockingReason>;

/** What a reader of the verdict should know. They are listed after the others. */
const NotedReason = z.enum(['partial_run', 'prompt_set_changed', 'short_window', 'platform_drift']);
export type NotedReason = z.infer<typeof NotedReason>;

export const ComparisonReason = z
  .enum([...BlockingReason.options, ...NotedReason.options])
  .meta({ id: 'ComparisonReason' });
export type ComparisonReason = z.infer<typeof ComparisonReason>;

const listCodes = (reasons: readonly string[]): string => reasons.map((reason) => `\`${reason}\``).join(', ');

/** When a comparison is `not_comparable`. */
export const blockingReasons = `one of these applies: ${listCodes(BlockingReason.options)}`;

/** Highest difference of two figures of 0 to 100. The bounds of an interval may lie beyond it. */
const maxDifference = 100;

const ComparedFigures = z
  .strictObject({
    from: CalendarDate.describe('First day of the window (UTC), included.'),
    to: CalendarDate.describe('Last day of the window (UTC), included.'),
    value: Percent.nullable().describe(
      'Mean over the prompts of the means of their paired cells, 0 to 100; for `share_of_voice` the share over all of them. null without a value.',
    ),
    units: Count.describe('Answered units of the paired cells.'),
    units_failed: Count.describe(
      'Failed units of the scans of the window, of the market and platform that are compared. Scans that an older version of the service ran count without a market and platform only.',
    ),
    prompts: Count.describe('Prompts with a paired cell.'),
  })
  .meta({
    id: 'ComparedFigures',
    examples: [
      { from: '2026-11-15', to: '2026-11-21', value: 41.32, units: 350, units_failed: 2, prompts: 10 },
    ],
  });

const Difference = z
  .strictObject({
    value: z.number().min(-maxDifference).max(maxDifference).describe('Value of b minus value of a.'),
    low: z
      .number()
      .describe(
        'Lower bound of the interval of the difference. 0.01 or -0.01 if it is closer to 0, but not 0.',
      ),
    high: z
      .number()
      .describe(
        'Upper bound of the interval of the difference. 0.01 or -0.01 if it is closer to 0, but not 0.',
      ),
    confidence: z.number().describe('Confidence level of the interval and of the verdict.'),
  })
  .meta({ id: 'ScoreDifference', examples: [{ value: 8.21, low: 2.04, high: 14.38, confidence: 0.95 }] });

export const ScoreComparison = z
  .strictObject({
    metric: ComparedMetric.describe('Figure that is compared.'),
    country: z.string().nullable().describe('Market of the compared answers; null for all markets.'),
    platform: PlatformId.nullable().describe('Platform of the compared answers; null for all platforms.'),
    a: ComparedFigures.describe('Window a, over the paired cells.'),
    b: ComparedFigures.describe('Window b, over the paired cells.'),
    difference: Difference.nullable().describe(
      'Difference with its interval: the paired t interval over prompts, for `share_of_voice` that of the jackknife over prompts. null with fewer than two paired prompts; for `share_of_voice` below five, or where no brand is mentioned in a window.',
    ),
    verdict: Verdict.describe(
      `\`up\` or \`down\` if the interval excludes 0, \`no_evidence\` if it contains 0. \`not_comparable\` if ${blockingReasons}.`,
    ),
    reasons: z
      .array(ComparisonReason)
      .describe(
        'What prevents a verdict, then what its reader should know. The guide “Methodology” explains each reason.',
      ),
  })
  .meta({ id: 'ScoreComparison' });
export type ScoreComparison = z.infer<typeof ScoreComparison>;
