import type { Changes as ChangesOfOrg } from '@bv/sdk';
import { useState } from 'preact/hooks';
import { daysOf, showPeriod } from '../data/day.ts';
import { useData } from '../data/use-data.ts';
import { Loaded, Section } from '../frame/section.tsx';
import type { Bar } from '../pictures/bars.ts';
import { Picture, PictureTitle } from '../pictures/picture.tsx';
import { formatView, type View } from '../state/view.ts';
import { count, metricLabels, reasonLabel, showNumber, verdictLabel, viewLabel } from '../words/labels.ts';
import type { PartProps } from './part.ts';

type Change = ChangesOfOrg['rows'][number];
const fewRows = 12;

/** Which brands of the organisation really moved. The window is that of the page, from a week. */
export function Changes({ orgId, view }: PartProps) {
  const [isWhole, setWhole] = useState(false);
  const window = view.window === '28d' ? '28d' : '7d';
  const days = daysOf[window];
  const input = { orgId, metric: view.metric, country: view.market, window_days: days };
  const changes = useData('changes', input, (client, query) => client.getChanges(query));
  const title = `All brands: ${viewLabel({ ...view, platform: undefined, window })}`;
  return (
    <Section
      id="changes"
      title="Which brands really moved"
      lead={`${metricLabels[view.metric]} of every brand on all platforms: the last ${days} days against as many before.`}
    >
      <Loaded data={changes}>
        {({ rows, ...totals }) =>
          rows.length === 0 ? (
            <p class="empty">The organisation has no brand.</p>
          ) : (
            <PictureTitle.Provider value={title}>
              <p>{describe(totals)}</p>
              <Differences rows={rows} shown={isWhole ? rows.length : fewRows} view={view} />
              {rows.length > fewRows ? (
                <button type="button" onClick={() => setWhole(!isWhole)}>
                  {isWhole ? 'Show less' : `Show all ${rows.length}`}
                </button>
              ) : null}
            </PictureTitle.Provider>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The surest first, each with a link to its brand. */
function Differences({ rows, shown, view }: { rows: readonly Change[]; shown: number; view: View }) {
  return (
    <Picture
      name="changes"
      label={`Differences in points, the surest first: ${rows.slice(0, 5).map(toLabel).join('; ')}`}
      content={{
        ...boundsOf(rows),
        kind: 'bars',
        form: 'interval',
        unit: '',
        bars: rows
          .slice(0, shown)
          .map((row) => ({ ...toBar(row), href: formatView({ ...view, brand: row.brand.id }) })),
      }}
      table={{ columns, rows: rows.map(toCells) }}
      caption={`${describeDays(rows[0])} Differences in points with their 95 % intervals. q is the lowest share of false changes at which a brand counts as changed.`}
      guide="did-our-change-work"
    />
  );
}

const columns = ['Brand', 'Before', 'After', 'Difference', 'Low', 'High', 'p', 'q', 'Verdict', 'Reasons'];
const toCells = ({ brand, a, b, difference, p_value: p, q_value: q, verdict, reasons }: Change) => {
  const { value = null, low = null, high = null } = difference ?? {};
  const why = reasons.map(reasonLabel).join(', ');
  return [brand.name, a.value, b.value, value, low, high, p, q, verdictLabel(verdict), why];
};

/** As far to the left as to the right. */
function boundsOf(rows: readonly Change[]): { bottom: number; top: number } {
  const compared = rows.filter(({ q_value: q }) => q !== null);
  const ends = compared.flatMap(({ difference }) => [difference?.low ?? 0, difference?.high ?? 0]);
  const top = Math.ceil(Math.max(1, ...ends.map(Math.abs)));
  return { bottom: -top, top };
}

/** The days end today, also where today has no answers yet. */
const describeDays = (row: Change | undefined): string =>
  row === undefined ? '' : `${showPeriod(row.b)} against ${showPeriod(row.a)}.`;

const signed = (value: number): string => `${value > 0 ? '+' : ''}${showNumber(value)}`;
const toLabel = ({ brand, verdict }: Change): string => `${brand.name}: ${verdictLabel(verdict)}`;

function toBar(row: Change): Bar {
  const { difference, q_value: q, verdict, reasons } = row;
  const label = toLabel(row);
  if (q === null || difference === null)
    return { label, value: null, note: reasonLabel(reasons[0] ?? ''), tone: 'other' };
  const note = `${signed(difference.value)}, q ${q < 0.001 ? '< 0.001' : Number(q.toFixed(3))}`;
  return { label, ...difference, note, tone: verdict === 'no_evidence' ? 'other' : 'own' };
}

function describe({ tested, not_comparable: others, up, down, fdr, ...rest }: Omit<ChangesOfOrg, 'rows'>) {
  if (tested === 0) return 'No brand of the organisation can be compared; the table has the reasons.';
  const not = others === 0 ? '' : `; ${others} more cannot be compared`;
  return `Of ${count(tested, 'comparable brand')} ${up} rose and ${down} fell${not}. At most about ${showNumber(100 * fdr)} % of such changes are false. The median difference is ${signed(rest.median_difference ?? 0)} points: a shift that many brands share shows there.`;
}
