import { z } from 'zod';
import { CalendarDate, Count, Percent, PlatformId } from '../scalars.ts';

/** Figures that two windows can be compared by. */
export const ComparedMetric = z
  .enum(['score', 'mention_rate', 'sentiment', 'citation_rate'])
  .meta({ id: 'ComparedMetric' });

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

/** Why figures cannot be compared, or only with care. */
export const ComparisonReason = z
  .enum(['too_few', 'model_changed', 'method_changed', 'partial_run', 'prompt_set_changed'])
  .meta({ id: 'ComparisonReason' });

/** Highest difference of two figures of 0 to 100. The bounds of an interval may lie beyond it. */
const maxDifference = 100;

const ComparedFigures = z
  .strictObject({
    from: CalendarDate.describe('First day of the window (UTC), included.'),
    to: CalendarDate.describe('Last day of the window (UTC), included.'),
    value: Percent.nullable().describe(
      'Mean over the prompts of the means of their paired cells, 0 to 100. null without a paired cell.',
    ),
    units: Count.describe('Answered units of the paired cells.'),
    prompts: Count.describe('Prompts with a paired cell.'),
  })
  .meta({
    id: 'ComparedFigures',
    examples: [{ from: '2026-11-15', to: '2026-11-21', value: 41.32, units: 350, prompts: 10 }],
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
    confidence: z.literal(0.95).describe('Confidence level of the interval, always 0.95.'),
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
      'Difference with its paired t interval over prompts. null with fewer than two paired prompts.',
    ),
    verdict: Verdict.describe(
      '`up` or `down` if the interval excludes 0, `no_evidence` if it contains 0, `not_comparable` if one of the first three reasons applies.',
    ),
    reasons: z
      .array(ComparisonReason)
      .describe(
        '`too_few`: fewer than five prompts are paired. `model_changed`: a platform served another set of models. `method_changed`: a window has a method version that the other lacks; `+llm` counts only for the sentiment, and for all metrics if a tracked brand has `match.verify`. `partial_run`: a scan of a window was partial. `prompt_set_changed`: less than 80 % of the cells of a window are paired.',
      ),
  })
  .meta({ id: 'ScoreComparison' });
export type ScoreComparison = z.infer<typeof ScoreComparison>;
