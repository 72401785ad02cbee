import { showDay } from '../data/day.ts';
import { type Cause, findCauses } from '../data/causes.ts';
import type { Measured } from '../data/measured.ts';
import { useData } from '../data/use-data.ts';
import { Legend } from '../frame/legend.tsx';
import { Section } from '../frame/section.tsx';
import { Picture } from '../pictures/picture.tsx';
import type { View } from '../state/view.ts';
import { count, windowLabels } from '../words/labels.ts';
import type { SeriesProps } from './part.ts';

/** The mention rate with its band, the score, and what else may have moved them. */
export function Trend({ view, brand, rows, measured, method }: SeriesProps) {
  const methodology = useData('methodology', {}, (client) => client.getMethodology());
  const drift = methodology.state === 'done' ? methodology.value.drift : [];
  const causes = findCauses(rows, view.platform, drift);
  const last = measured.at(-1);
  const points = measured.map(({ day, figures }) => ({ day, ...figures.mention_rate }));
  const scores = measured.map(({ day, figures }) => ({ day, value: figures.score.value }));
  return (
    <Section
      id="trend"
      title="Mention rate and score"
      lead="Share of the answers that mention the brand. The band is its 95 % interval."
    >
      <Legend
        items={[
          ['own line', 'Mention rate'],
          ['own band', '95 % interval'],
          ['dashed', 'Score, which has no interval'],
          ...(causes.length === 0 ? [] : [['rule', 'Other model, method or shape of answers'] as const]),
        ]}
      />
      <Picture
        name="mention-rate"
        label={`Mention rate of ${brand.name} at ${count(measured.length, 'point')}, last ${points.at(-1)?.value ?? 'no data'} %`}
        content={{
          kind: 'curve',
          label: 'Mention rate',
          points,
          line: { label: 'Score', points: scores },
          marks: causes.map((cause) => ({ ...cause, day: findPoint(measured, cause.day) })),
        }}
        table={{
          columns: ['Day', 'Mention rate %', 'Low', 'High', 'Score', 'Answers', 'Prompts'],
          rows: measured.map(({ day, units, prompts, figures: { mention_rate: rate, score } }) => [
            day,
            rate.value,
            rate.low,
            rate.high,
            score.value,
            units,
            prompts,
          ]),
        }}
        method={method}
        caption={
          <>
            {describePoints(view)}{' '}
            {last === undefined
              ? 'There are no answers.'
              : `The last has ${count(last.units, 'answer')} to ${count(last.prompts, 'prompt')}.`}
          </>
        }
        guide={view.window === 'day' ? 'methodology#one-day-is-noise' : 'methodology#windows'}
      >
        <Causes causes={causes} />
      </Picture>
    </Section>
  );
}

/** The point that a day belongs to: with weeks it is their Monday. */
const findPoint = (measured: readonly Measured[], day: string): string =>
  measured.findLast((point) => point.day <= day)?.day ?? day;

function describePoints({ platform, window }: View): string {
  if (window === 'day') return 'Each point is a day.';
  if (platform !== undefined) return 'Each point is a week from Monday.';
  return `Each point pools ${windowLabels[window]} up to its day.`;
}

function Causes({ causes }: { causes: readonly Cause[] }) {
  if (causes.length === 0) return null;
  return (
    <ol class="causes" aria-label="Marks in the picture">
      {causes.map(({ day, text }) => (
        <li>
          <time dateTime={day}>{showDay(day)}</time>: <bdi>{text}</bdi>
        </li>
      ))}
    </ol>
  );
}
