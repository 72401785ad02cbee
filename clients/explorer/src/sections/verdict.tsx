import { type ComparedMetric, describeComparison, type ScoreComparison } from '@bv/sdk';
import { daysOf, periodUpTo, addDays } from '../data/day.ts';
import { useData } from '../data/use-data.ts';
import { Choice } from '../frame/choice.tsx';
import { Loaded } from '../frame/section.tsx';
import { metrics } from '../state/view.ts';
import { metricLabels, showNumber } from '../words/labels.ts';
import type { PartProps } from './part.ts';

/** A single day depends on the hour of its scan, so weeks are compared instead. */
const minDays = 7;

/** The answer to "did anything change?", before any picture. */
export function VerdictSection({ scope, view, navigate, period }: PartProps) {
  const days = Math.max(minDays, daysOf[view.window]);
  const b = periodUpTo(period.to, days);
  const a = periodUpTo(addDays(b.from, -1), days);
  const input = { ...scope, metric: view.metric, from_a: a.from, to_a: a.to, from_b: b.from, to_b: b.to };
  const comparison = useData('comparison', input, (client, query) => client.compareScores(query));
  return (
    <section class="verdict" aria-label="Verdict">
      <Loaded data={comparison}>
        {(compared) => (
          <div class={`statement ${compared.verdict}`}>
            <p class="headline">{summarise(compared, days)}</p>
            <p class="detail">
              {describe(compared)} <a href="/docs/guides/methodology#is-a-change-real">How it is computed</a>
            </p>
          </div>
        )}
      </Loaded>
      <Choice
        label="Compare"
        value={view.metric}
        values={metrics.map((metric): [ComparedMetric, string] => [metric, metricLabels[metric]])}
        onChange={(metric) => navigate({ metric })}
      />
    </section>
  );
}

/** The sentences of the SDK, with the figure in words. */
const describe = (compared: ScoreComparison): string =>
  describeComparison(compared).replace(compared.metric, metricLabels[compared.metric as ComparedMetric]);

function summarise({ metric, verdict, difference }: ScoreComparison, days: number): string {
  const figure = `The ${metricLabels[metric as ComparedMetric].toLowerCase()}`;
  const before = `the ${days} days before`;
  if (difference === null || verdict === 'not_comparable')
    return `${figure} cannot be compared with ${before}.`;
  const size = showNumber(Math.abs(difference.value));
  const points = `${size} points`;
  if (verdict === 'up') return `${figure} rose by ${points} against ${before}.`;
  if (verdict === 'down') return `${figure} fell by ${points} against ${before}.`;
  if (size === '0') return `${figure} is the same as in ${before}.`;
  const side = difference.value < 0 ? 'lower' : 'higher';
  return `${figure} is ${points} ${side} than in ${before}, which may be chance.`;
}
