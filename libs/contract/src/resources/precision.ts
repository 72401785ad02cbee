import { z } from 'zod';
import { CalendarDate, Count, Percent } from '../scalars.ts';
import { ComparedMetric } from './score-comparison.ts';

/** Figures whose precision is known. */
export const PrecisionMetric = ComparedMetric.extract(['mention_rate', 'score', 'citation_rate']).meta({
  id: 'PrecisionMetric',
});
export type PrecisionMetric = z.infer<typeof PrecisionMetric>;

const points = z.number().min(0).nullable();

const Share = z
  .strictObject({
    share: Percent.nullable().describe('Share of the variance, 0 to 100.'),
    low: Percent.nullable().describe('Lower 95 % bound of the share.'),
    high: Percent.nullable().describe('Upper 95 % bound of the share.'),
  })
  .meta({ id: 'VarianceShare' });

const component = (what: string) => Share.describe(`What part of the variance lies ${what}.`);

const Variance = z
  .strictObject({
    prompt: component('between prompts'),
    stratum: component('between strata: platforms in markets'),
    prompt_by_stratum: component('between strata of the same prompt, beyond that of prompts and of strata'),
    repeat: component('between answers to the same prompt in the same stratum'),
    total: points.describe('Variance of an answer, in squared points.'),
  })
  .meta({ id: 'PrecisionVariance' });

const Level = z
  .strictObject({
    value: Percent.nullable().describe('Mean over the cells of the window. null without an answer.'),
    low: Percent.nullable().describe('Lower 95 % bound: what other prompts of this kind would show.'),
    high: Percent.nullable().describe('Upper 95 % bound.'),
    half_width: points.describe('Half of the width of the interval, in points, before it is clamped.'),
  })
  .meta({ id: 'PrecisionLevel' });

const Change = z
  .strictObject({
    smallest_detectable_7d: points.describe(
      'Change between two windows of 7 days that `compareScores` finds with this power, in points.',
    ),
    smallest_detectable_28d: points.describe('The same of two windows of 28 days.'),
    power: z.number().describe('Share of such changes that are found.'),
    confidence: z.number().describe('Confidence of the comparison.'),
  })
  .meta({ id: 'PrecisionChange' });

const Option = z
  .strictObject({
    prompts: Count.describe('Number of prompts.'),
    repeats_per_day: Count.describe('Answers of a prompt in a stratum in a day.'),
    units_per_day: Count.describe('Answers a day: prompts × strata of a prompt × `repeats_per_day`.'),
    half_width: z.number().min(0).describe('Half width of the level over a window of as many days.'),
    smallest_detectable_28d: z.number().min(0).describe('Smallest detectable change of 28 days.'),
    cost_usd_per_day: z.number().min(0).nullable().describe('Price of the answers; null without prices.'),
  })
  .meta({ id: 'PrecisionOption' });

export const PrecisionReason = z
  .enum(['too_few_prompts', 'too_wide', 'partial_runs', 'model_changed', 'no_history'])
  .meta({ id: 'PrecisionReason' });

export const Precision = z
  .strictObject({
    metric: PrecisionMetric.describe('Figure whose precision is given.'),
    from: CalendarDate.describe('First day of the window (UTC), included.'),
    to: CalendarDate.describe('Last day of the window (UTC), included.'),
    prompts: Count.describe('Prompts with an answer in the window.'),
    cells: Count.describe('Cells (prompt, country, platform) with an answer.'),
    units: Count.describe(
      'Answers; for `citation_rate` those whose citations are known, for `score` those of days scored since revision 2026-11-28.',
    ),
    variance: Variance.describe('Where the figure varies.'),
    level: Level.describe('The figure of the window, with an interval in which prompts are a sample.'),
    change: Change.describe('Which changes can be found.'),
    limited_by: z
      .enum(['prompts', 'repeats', 'too_few'])
      .meta({ id: 'PrecisionLimit' })
      .describe(
        'What narrows the interval most: more `prompts` or more `repeats`. `too_few`: fewer than five prompts, or fewer than two answers in more than half of the cells.',
      ),
    grade: z
      .enum(['decision_grade', 'directional', 'exploratory'])
      .meta({ id: 'PrecisionGrade' })
      .describe(
        '`decision_grade`: 20 prompts or more, and a half width of at most `width`. `directional`: five prompts or more, and at most three times `width`. Else `exploratory`.',
      ),
    grade_reasons: z
      .array(PrecisionReason)
      .describe('What keeps it from `decision_grade`, then what a reader should know.'),
    options: z
      .array(Option)
      .max(20)
      .describe('Other numbers of prompts and repeats, fewest answers a day first.'),
    recommended: Count.nullable().describe(
      'Index of the first option that reaches `width`, from 0; null if none does.',
    ),
  })
  .meta({ id: 'Precision' });
export type Precision = z.infer<typeof Precision>;
