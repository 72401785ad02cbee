import type { BreakdownRow } from '@bv/sdk';
import { useState } from 'preact/hooks';
import { showPeriod } from '../data/day.ts';
import { useData } from '../data/use-data.ts';
import { Legend } from '../frame/legend.tsx';
import { Loaded, Section } from '../frame/section.tsx';
import { Toggle } from '../frame/choice.tsx';
import { Picture } from '../pictures/picture.tsx';
import { formatView, type Slice, slices } from '../state/view.ts';
import { count, marketLabel, platformLabel, sliceLabels } from '../words/labels.ts';
import type { PartProps } from './part.ts';
import { sliceColumns, toBar, toCells } from './slice.ts';

const shown = 12;

/** Where the brand is weak: the slices with the lowest mention rates first. */
export function Breakdown({ scope, period, view, navigate, method }: PartProps) {
  const { by } = view;
  const slicesOf = useData('breakdown', { ...scope, ...period, by }, async (client, input) =>
    (await client.listBreakdown({ ...input, limit: 200 }).all())
      .filter(({ prompt }) => prompt?.active !== false)
      .toSorted(byRate),
  );
  return (
    <Section
      id="breakdown"
      title="Where to look first"
      lead="The lowest mention rates first, each with its interval and the competitor that is mentioned most."
      controls={
        <Toggle
          label="By"
          value={by}
          values={slices.map((slice): [Slice, string] => [slice, sliceLabels[slice]])}
          onChange={(slice) => navigate({ by: slice })}
        />
      }
    >
      <Legend
        items={[
          ['dot', 'Mention rate with its 95 % interval'],
          ['diamond', 'Strongest competitor'],
        ]}
      />
      <Loaded data={slicesOf}>
        {(rows) => (
          <Slices
            by={by}
            rows={rows}
            method={method}
            caption={`${showPeriod(period)}: ${count(rows.length, by === 'country' ? 'market' : by)}`}
            toHref={({ prompt }) =>
              prompt === null ? undefined : formatView({ ...view, prompt: prompt.id })
            }
          />
        )}
      </Loaded>
    </Section>
  );
}

type SlicesProps = {
  by: Slice;
  rows: readonly BreakdownRow[];
  caption: string;
  method: string;
  toHref: (row: BreakdownRow) => string | undefined;
};

function Slices({ by, rows, caption, method, toHref }: SlicesProps) {
  const [isWhole, setWhole] = useState(false);
  const lowest = rows.slice(0, 5).map((row) => `${labelOf(by, row)} ${row.mention_rate ?? 'no data'} %`);
  const visible = rows.slice(0, isWhole ? rows.length : shown);
  return (
    <>
      <Picture
        name={`by-${by}`}
        label={`Mention rate by ${sliceLabels[by].toLowerCase()}, lowest first: ${lowest.join('; ')}`}
        content={{
          kind: 'bars',
          form: 'interval',
          top: 100,
          bars: visible.map((row) => ({ ...toBar(row, labelOf(by, row)), href: toHref(row) })),
        }}
        table={{
          columns: [sliceLabels[by], ...sliceColumns],
          rows: rows.map((row) => [labelOf(by, row), ...toCells(row)]),
        }}
        method={method}
        caption={
          <>
            {caption}, n is the number of answers.{' '}
            {by === 'prompt' ? 'Choose a prompt to read its answers.' : ''}
          </>
        }
        guide="method-in-depth#bounds-with-few-prompts"
      />
      {rows.length > shown ? (
        <button type="button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${rows.length}`}
        </button>
      ) : null}
    </>
  );
}

/** Of equal rates the surest first. */
const byRate = (a: BreakdownRow, b: BreakdownRow): number =>
  (a.mention_rate ?? Infinity) - (b.mention_rate ?? Infinity) ||
  (a.mention_rate_high ?? Infinity) - (b.mention_rate_high ?? Infinity) ||
  (a.key < b.key ? -1 : 1);

function labelOf(by: Slice, { key, label }: BreakdownRow): string {
  if (by === 'platform') return platformLabel(key);
  if (by === 'country') return marketLabel(key);
  if (by === 'model') return `${platformLabel(key.split('/')[0] ?? '')}: ${label ?? 'unknown model'}`;
  return label ?? (by === 'tag' ? 'without a tag' : 'unknown');
}
