import { type Figure, figures } from '../data/measured.ts';
import { count } from '../words/labels.ts';
import { describePoint, type SeriesProps } from './part.ts';

const labels: Record<Figure, [label: string, unit: string]> = {
  mention_rate: ['Mention rate', ' %'],
  score: ['Score', ''],
  share_of_voice: ['Share of voice', ' %'],
  citation_rate: ['Citation rate', ' %'],
  average_position: ['Average position', ''],
  sentiment: ['Sentiment', ''],
};

const show = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 });

/** The newest figures, each with its interval where there is one. */
export function Figures({ view, measured }: SeriesProps) {
  const newest = measured.at(-1);
  if (newest === undefined) return null;
  return (
    <section class="figures" aria-label="Newest figures">
      <dl>
        {figures.map((figure) => {
          const { value, low, high } = newest.figures[figure];
          const [label, unit] = labels[figure];
          return (
            <div>
              <dt>{label}</dt>
              <dd>
                <b>{value === null ? 'no data' : `${show(value)}${unit}`}</b>
                {low === null || high === null ? null : (
                  <span>
                    95 %: {show(low)} to {show(high)}
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      <p class="muted">
        {describePoint(newest.day, view)} · {count(newest.units, 'answer')} to{' '}
        {count(newest.prompts, 'prompt')} ·{' '}
        <a href="/docs/guides/methodology#formulas">How each figure is computed</a>
      </p>
    </section>
  );
}
