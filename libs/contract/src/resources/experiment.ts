import { z } from 'zod';
import { CalendarDate, Count, Percent, PlatformId, Timestamp, Uuid } from '../scalars.ts';
import { PrecisionMetric } from './precision.ts';
import { Verdict } from './score-comparison.ts';

const ExperimentStatus = z
  .enum(['registered', 'running', 'completed', 'stopped'])
  .meta({ id: 'ExperimentStatus' });

/** Points between the arms before the change, above which one shock may move them by different points. */
export const maxArmDifference = 15;

/** What a reader of the verdict should know, in the order in which the reasons are listed. */
export const ExperimentReason = z
  .enum([
    'too_few',
    'method_changed',
    'incomplete',
    'model_changed',
    'surface_changed',
    'competitors_changed',
    'unequal_answers',
    'pre_trend',
    'arms_differ',
  ])
  .meta({ id: 'ExperimentReason' });
export type ExperimentReason = z.infer<typeof ExperimentReason>;

const Days = z
  .strictObject({
    from: CalendarDate.describe('First day (UTC), included.'),
    to: CalendarDate.describe('Last day (UTC), included.'),
  })
  .meta({ id: 'ExperimentDays', examples: [{ from: '2026-10-01', to: '2026-10-28' }] });

const Arm = z
  .strictObject({
    prompt_ids: z.array(Uuid).describe('Prompts of the arm, those of its tags included.'),
    tags: z.array(z.string()).describe('Tags that were resolved to prompts at creation.'),
  })
  .meta({ id: 'ExperimentArm' });

const ArmResult = z
  .strictObject({
    before: Percent.nullable().describe('Mean over the prompts before the change; null without a pair.'),
    after: Percent.nullable().describe('Mean over the prompts after it; null without a pair.'),
    units_before: Count.describe('Answered units of the paired cells before.'),
    units_after: Count.describe('Answered units of the paired cells after.'),
    prompts: Count.describe('Prompts with a cell that has an answer in both windows.'),
  })
  .meta({ id: 'ExperimentArmResult' });

const interval = {
  low: z.number().describe('Lower 95 % bound.'),
  high: z.number().describe('Upper 95 % bound.'),
};

const Effect = z
  .strictObject({
    value: z
      .number()
      .describe('Change of the treated prompts minus that of the control prompts, in points: -200 to 200.'),
    ...interval,
    confidence: z.number().describe('Confidence level of the interval.'),
  })
  .meta({ id: 'ExperimentEffect' });

const Trend = z
  .strictObject({
    value: z
      .number()
      .describe(
        'Change of the treated prompts minus that of the control prompts, between the halves of `pre`.',
      ),
    ...interval,
  })
  .meta({ id: 'ExperimentTrend' });

const probability = z.number().min(0).max(1).nullable();

const Placebo = z
  .strictObject({
    p_value: probability.describe(
      'Share of earlier start days that give an effect of at least this size. null with fewer than seven such days.',
    ),
  })
  .meta({ id: 'ExperimentPlacebo' });

const Result = z
  .strictObject({
    treated: ArmResult.describe('The prompts that the change is for.'),
    control: ArmResult.describe('The prompts that it is not for.'),
    effect: Effect.nullable().describe(
      'What the treated prompts changed more than the control prompts, in points, with the interval of Welch’s t. null with fewer than two prompts in an arm.',
    ),
    p_value: probability.describe(
      'Share of the splits of the prompts into two arms that give an effect of at least this size. null before the end, and in a stopped experiment.',
    ),
    placebo: Placebo.nullable().describe('null before the end, and in a stopped experiment.'),
    pre_trend: Trend.nullable().describe(
      'Whether the arms already moved apart before the change. null with fewer than five prompts in an arm.',
    ),
    verdict: Verdict.nullable().describe(
      '`up` or `down` if the interval excludes 0 and `p_value` is below 0.05. null before the end, and in a stopped experiment.',
    ),
    reasons: z
      .array(ExperimentReason)
      .describe(
        '`too_few`, `method_changed` and `incomplete` make the result `not_comparable`; so do `model_changed` and `surface_changed` of a platform in one arm only.',
      ),
    final: z
      .boolean()
      .describe(
        'Whether the days of the result are over. Imports, reprocesses and failed scans can still change it.',
      ),
  })
  .meta({ id: 'ExperimentResult' });
export type ExperimentResult = z.infer<typeof Result>;

const Design = z
  .strictObject({
    treated_prompts: Count.describe('Prompts in the treated arm.'),
    control_prompts: Count.describe('Prompts in the control arm.'),
    smallest_detectable: z
      .number()
      .nullable()
      .describe(
        'Smallest effect that is found in 80 % of experiments, in points, by what was usual before. null without two pairs of earlier windows.',
      ),
  })
  .meta({ id: 'ExperimentDesign' });

export const Experiment = z
  .strictObject({
    id: Uuid.describe('Id of the experiment.'),
    brand_id: Uuid.describe('Id of its own brand.'),
    name: z.string().describe('Your own name of the experiment.'),
    metric: PrecisionMetric.describe('Figure that the change should move.'),
    status: ExperimentStatus.describe(
      '`registered` before `starts_on`, `running` to the end of `post`, then `completed`; or `stopped`.',
    ),
    preregistered: z.boolean().describe('Whether it was registered before the day on which it starts.'),
    registered_at: Timestamp.describe('When it was created.'),
    starts_on: CalendarDate.describe('Day of the change (UTC).'),
    pre: Days.describe('Days before the change.'),
    post: Days.describe('Days after the change and the washout.'),
    treated: Arm.describe('Prompts that the change is for.'),
    control: Arm.describe('Prompts that it is not for.'),
    platforms: z.array(PlatformId).nullable().describe('Platforms that count; null for all.'),
    countries: z.array(z.string()).nullable().describe('Markets that count; null for all.'),
    note: z.string().nullable().describe('Your own text; null where not given.'),
    design: Design.describe('What the experiment can find.'),
    result: Result.nullable().describe(
      'null before both windows have an answer. In a list it is the one stored last, which a running experiment does not have.',
    ),
  })
  .meta({ id: 'Experiment' });
export type Experiment = z.infer<typeof Experiment>;
