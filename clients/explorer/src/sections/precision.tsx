import {
  type ComparedMetric,
  describePrecision,
  type Precision,
  type PrecisionMetric,
  type ScoreWindow,
} from '@bv/sdk';
import { periodUpTo, showPeriod } from '../data/day.ts';
import { useData } from '../data/use-data.ts';
import { Loaded, Section } from '../frame/section.tsx';
import type { Bar } from '../pictures/bars.ts';
import { Picture } from '../pictures/picture.tsx';
import { count, metricLabels, showNumber } from '../words/labels.ts';
import type { PartProps } from './part.ts';

const days = 28;
/** The other figures have no components of variance. */
const metrics: readonly PrecisionMetric[] = ['mention_rate', 'score', 'citation_rate'];

/** How sure the figure is, and what more prompts or answers would give. */
export function PrecisionSection({ scope, view, period, method }: PartProps) {
  const metric = metrics.find((each) => each === view.metric) ?? 'mention_rate';
  const input = { ...scope, ...periodUpTo(period.to, days), metric };
  const data = useData('precision', input, (client, query) => client.getPrecision(query));
  return (
    <Section
      id="precision"
      title="How sure it is"
      lead="Other prompts of this kind would give another figure. The half width says by how many points."
    >
      <Loaded data={data}>
        {(precision) => (
          <>
            <p>{describe(precision, view.window)}</p>
            {precision.level.half_width === null ? null : (
              <Picture
                name="precision"
                label={`Half width of the interval by prompts and answers a day. ${describe(precision, view.window)}`}
                content={{
                  kind: 'bars',
                  form: 'bar',
                  unit: ' points',
                  top: Math.max(...toBars(precision).map(({ value }) => value ?? 0)),
                  bars: toBars(precision),
                }}
                table={{
                  columns: ['Prompts', 'Answers a day each', 'Answers a day', '± points', 'USD a day'],
                  rows: precision.options.map((option) => [
                    option.prompts,
                    option.repeats_per_day,
                    option.units_per_day,
                    option.half_width,
                    option.cost_usd_per_day,
                  ]),
                }}
                method={method}
                caption={`${showPeriod(input)}: ${count(precision.units, 'answer')} to ${count(precision.prompts, 'prompt')}.`}
                guide="how-many-prompts"
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** What keeps a figure from being of decision grade. */
const lacks: Partial<Record<string, string>> = {
  too_few_prompts: 'decisions take 20 prompts',
  too_wide: 'the interval is wide',
};

/** The sentences of the SDK, with the figure in words, how far they carry, and the cheapest way to the width. */
function describe(precision: Precision, window: ScoreWindow): string {
  const { metric, change, grade, grade_reasons: reasons, options, recommended } = precision;
  const sentences = [describePrecision(precision).replace(metric, metricLabels[metric as ComparedMetric])];
  const smallest = change.smallest_detectable_28d;
  if (window === '28d' && smallest !== null) {
    sentences.push(`A change of ${showNumber(smallest)} points in 28 days is usually found.`);
  }
  const [reason = ''] = reasons;
  if (grade !== 'decision_grade') sentences.push(`It is ${grade}: ${lacks[reason] ?? reason}.`);
  const option = options[recommended ?? -1];
  if (option !== undefined) sentences.push(`The cheapest way to ± 5 points: ${show(option)}.`);
  return sentences.join(' ');
}

const show = ({ prompts, repeats_per_day: repeats }: { prompts: number; repeats_per_day: number }): string =>
  `${count(prompts, 'prompt')}, ${repeats === 1 ? 'once' : `${repeats} times`} a day`;

/** The present, and the options that are narrower than every cheaper one. */
function toBars({ prompts, level, options, recommended }: Precision): Bar[] {
  let narrowest = Infinity;
  const bars = options.flatMap((option, index): Bar[] => {
    if (option.half_width >= narrowest) return [];
    narrowest = option.half_width;
    return [
      {
        label: `${show(option)}${index === recommended ? ' (recommended)' : ''}`,
        value: option.half_width,
        note: `${count(option.units_per_day, 'answer')} a day`,
        tone: 'other',
      },
    ];
  });
  return [
    { label: `Now: ${count(prompts, 'prompt')}`, value: level.half_width, note: '', tone: 'own' },
    ...bars,
  ];
}
