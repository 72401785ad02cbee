import type { CitedUrl, Source } from '@bv/sdk';
import type { PartProps } from './part.ts';
import { showPeriod } from '../data/day.ts';
import { useData } from '../data/use-data.ts';
import { Legend } from '../frame/legend.tsx';
import { Loaded, Section } from '../frame/section.tsx';
import { Toggle } from '../frame/choice.tsx';
import type { Bar } from '../pictures/bars.ts';
import { Picture } from '../pictures/picture.tsx';
import { count } from '../words/labels.ts';

const shown = 10;
const choices = [['gap', 'Gaps'] as const, ['all', 'All'] as const];

/** Websites and pages that answers cite: first those that help competitors only. */
export function Sources({ scope, period, view, navigate, brand, method }: PartProps) {
  const { gap } = view;
  const input = { ...scope, ...period, limit: shown, ...(gap ? { gap } : {}) };
  const sources = useData(
    'sources',
    input,
    async (client, query) => (await client.listSources(query).page()).data,
  );
  const pages = useData('pages', input, async (client, query) => (await client.listPages(query).page()).data);
  const answers = sources.state === 'done' ? sources.value[0]?.units_answered : undefined;
  const days = `${showPeriod(period)}${answers === undefined ? '' : `, ${count(answers, 'answer')}`}`;
  const common = { gap, days, method };
  return (
    <Section
      id="sources"
      title={gap ? 'Where competitors are named and you are not' : 'Cited websites and pages'}
      lead={
        gap
          ? `Answers that cite the website and mention a competitor, but not ${brand.name}.`
          : 'How often answers cite the website or page.'
      }
      controls={
        <Toggle
          label="Sources"
          value={gap ? 'gap' : 'all'}
          values={choices}
          onChange={(choice) => navigate({ gap: choice === 'gap' })}
        />
      }
    >
      <Legend
        items={[
          ...(gap ? [] : [['own square', brand.name] as const]),
          ['competitor square', 'A tracked competitor'],
          ['other square', 'Others'],
        ]}
      />
      <div class="two">
        <Loaded data={sources}>
          {(rows) => <Cited noun="website" rows={rows} labelOf={({ domain }) => domain} {...common} />}
        </Loaded>
        <Loaded data={pages}>
          {(rows) => <Cited noun="page" rows={rows} labelOf={labelOfPage} {...common} />}
        </Loaded>
      </div>
    </Section>
  );
}

type CitedProps<T> = {
  noun: string;
  rows: readonly T[];
  labelOf: (row: T) => string;
  gap: boolean;
  days: string;
  method: string;
};

function Cited<T extends Source | CitedUrl>(props: CitedProps<T>) {
  const { noun, rows, labelOf, gap, days, method } = props;
  if (rows.length === 0)
    return (
      <p class="empty">
        No {noun} {gap ? 'is cited with competitors only' : 'is cited'} in these days.
      </p>
    );
  const valueOf = (row: T) => (gap ? row.units_gap : row.citations);
  return (
    <Picture
      name={gap ? `${noun}s-gap` : `${noun}s`}
      label={rows
        .map((row) => `${labelOf(row)}: ${count(valueOf(row), gap ? 'answer' : 'citation')}`)
        .join('; ')}
      content={{
        kind: 'bars',
        form: 'bar',
        top: Math.max(...rows.map(valueOf)),
        bars: rows.map((row) => toBar(row, labelOf(row), valueOf(row), gap)),
      }}
      table={{
        columns: [
          noun,
          'Kind',
          'Answers that cite it',
          'With a competitor',
          'With a competitor only',
          'Gap %',
          'Citations',
          'Address',
        ],
        rows: rows.map((row) => [
          labelOf(row),
          row.category,
          row.units_cited,
          row.units_with_competitor,
          row.units_gap,
          row.gap_rate,
          row.citations,
          'url' in row ? row.url : row.domain,
        ]),
      }}
      caption={`${days}: the first ${count(rows.length, noun)} by ${gap ? 'such answers' : 'citations'}.`}
      method={method}
      guide="methodology#mentions-positions-and-citations"
    />
  );
}

/** Pages of a website often share a title. */
function labelOfPage({ title, url }: CitedUrl): string {
  const address = url.replace(/^https?:\/\/(www\.)?/, '');
  return title === null ? address : `${title} · ${address}`;
}

const toBar = (row: Source | CitedUrl, label: string, value: number, gap: boolean): Bar => ({
  label,
  value,
  note: gap ? `of ${row.units_cited}` : row.category,
  tone: row.is_own ? 'own' : row.competitor_id === null ? 'other' : 'competitor',
  href: 'url' in row ? row.url : `https://${row.domain}/`,
});
