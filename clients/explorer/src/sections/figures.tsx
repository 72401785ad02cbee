import type { BreakdownRow, Score } from '@bv/sdk';
import { type Period, showPeriod } from '../data/day.ts';
import { type Figure, figures, toMeasured } from '../data/measured.ts';
import { useData } from '../data/use-data.ts';
import { Loaded } from '../frame/section.tsx';
import { count, metricLabels, showNumber } from '../words/labels.ts';
import type { PartProps } from './part.ts';

const percentages: readonly Figure[] = ['mention_rate', 'share_of_voice', 'citation_rate'];

/** The figures of the window. Score rows have them over all platforms, slices those of one. */
export function Figures({ scope, period, rows }: PartProps & { rows: readonly Score[] }) {
  const input = scope.platform === undefined ? undefined : { ...scope, ...period, by: 'platform' as const };
  const slice = useData('breakdown', input, (client, query) => client.listBreakdown(query).all());
  if (scope.platform !== undefined) {
    return <Loaded data={slice}>{([row]) => <Tiles row={row} period={period} />}</Loaded>;
  }
  return <Tiles row={rows.at(-1)} period={period} />;
}

/** Each figure with its interval where there is one. */
function Tiles({ row, period }: { row: Score | BreakdownRow | undefined; period: Period }) {
  if (row === undefined)
    return <p class="card empty">There are no answers of the platform in this window.</p>;
  const newest = toMeasured(row, period.to);
  return (
    <section class="figures" aria-label="Newest figures">
      <dl>
        {figures.map((figure) => {
          const { value, low, high } = newest.figures[figure];
          const unit = percentages.includes(figure) ? ' %' : '';
          return (
            <div>
              <dt>{figure === 'average_position' ? 'Average position' : metricLabels[figure]}</dt>
              <dd>
                <b>{value === null ? 'no data' : `${showNumber(value)}${unit}`}</b>
                {low === null || high === null ? null : (
                  <span>
                    95 %: {showNumber(low)} to {showNumber(high)}
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      <p class="muted">
        {showPeriod(period)} · {count(newest.units, 'answer')} to {count(newest.prompts, 'prompt')} ·{' '}
        <a href="/docs/guides/methodology#formulas">How each figure is computed</a>
      </p>
    </section>
  );
}
