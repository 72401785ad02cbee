import type { Coverage, DiscoveredBrand } from '@bv/sdk';
import { showPeriod } from '../data/day.ts';
import { useData } from '../data/use-data.ts';
import { Loaded, Section } from '../frame/section.tsx';
import type { Bar } from '../pictures/bars.ts';
import { Picture } from '../pictures/picture.tsx';
import { count, platformLabel, showNumber } from '../words/labels.ts';
import type { PartProps } from './part.ts';

const shown = 10;

/** Brands that answers name and nobody tracks, and how many more there are. */
export function Discovered({ scope, period, method }: PartProps) {
  const input = { ...scope, ...period };
  const names = useData(
    'discovered brands',
    { ...input, limit: shown },
    async (client, query) => (await client.listDiscoveredBrands(query).page()).data,
  );
  const coverage = useData('coverage', { ...input, subject: 'brands' as const }, (client, query) =>
    client.getCoverage(query),
  );
  return (
    <Section
      id="discovered"
      title="Brands that nobody tracks"
      lead="Answers name them. To track one, link it as a competitor and reprocess the brand: its history is then complete."
    >
      <Loaded data={coverage}>{(value) => <p>{describeCoverage(value)}</p>}</Loaded>
      <Loaded data={names}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="empty">No other brand is in two answers of these days.</p>
          ) : (
            <Picture
              name="discovered-brands"
              label={rows.map((row) => `${row.name}: ${row.mention_rate ?? 'no data'} %`).join('; ')}
              content={{ kind: 'bars', form: 'interval', top: 100, bars: rows.map(toBar) }}
              table={{
                columns: [
                  'Name',
                  'Domain',
                  'Kind',
                  'Rate %',
                  '95 % from',
                  'to',
                  'Answers',
                  'Prompts',
                  'Platforms',
                ],
                rows: rows.map((row) => [
                  row.name,
                  row.suggested_domain,
                  row.kind,
                  row.mention_rate,
                  row.mention_rate_low,
                  row.mention_rate_high,
                  row.units_mentioned,
                  row.prompts,
                  row.platforms.map(platformLabel).join(', '),
                ]),
              }}
              caption={`${showPeriod(period)}: the first ${count(rows.length, 'name')} by answers, each with its 95 % interval.`}
              method={method}
              guide="brands-nobody-tracks"
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const toBar = (row: DiscoveredBrand): Bar => ({
  label: row.name,
  value: row.mention_rate,
  low: row.mention_rate_low,
  high: row.mention_rate_high,
  note: count(row.units_mentioned, 'answer'),
  tone: 'other',
});

function describeCoverage({
  units,
  seen,
  coverage,
  estimated_total: total,
  next_100_units: next,
}: Coverage): string {
  const seenNames = `${count(units, 'answer')} name ${count(seen, 'brand')}, tracked ones included.`;
  if (total.value === null || next === null) return `${seenNames} That is too few to say how many there are.`;
  return [
    seenNames,
    `There are at least ${showNumber(total.value)}: 100 more answers would show about ${showNumber(next)} new ones.`,
    `About ${showNumber(coverage.value ?? 100)} % of what further answers name was seen before.`,
  ].join(' ');
}
