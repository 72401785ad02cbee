import type { BreakdownRow } from '@bv/sdk';
import type { Bar } from '../pictures/bars.ts';
import type { Cell } from '../pictures/table.ts';

export const sliceColumns = [
  'Mention rate %',
  'Low',
  'High',
  'Strongest competitor',
  'Its rate %',
  'Answers',
];

function findStrongest({ competitors }: BreakdownRow): { name: string; value: number } | undefined {
  const [first] = competitors
    .flatMap(({ name, mention_rate: value }) => (value === null || value === 0 ? [] : [{ name, value }]))
    .toSorted((a, b) => b.value - a.value);
  return first;
}

export function toBar(row: BreakdownRow, label: string): Bar {
  return {
    label,
    value: row.mention_rate,
    low: row.mention_rate_low,
    high: row.mention_rate_high,
    competitor: findStrongest(row),
    note: `n ${row.units_answered}`,
    tone: 'own',
  };
}

export function toCells(row: BreakdownRow): Cell[] {
  const competitor = findStrongest(row);
  return [
    row.mention_rate,
    row.mention_rate_low,
    row.mention_rate_high,
    competitor?.name ?? null,
    competitor?.value ?? null,
    row.units_answered,
  ];
}
