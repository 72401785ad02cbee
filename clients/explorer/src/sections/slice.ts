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

function findRival({ competitors }: BreakdownRow): { name: string; value: number } | undefined {
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
    rival: findRival(row),
    note: `n ${row.units_answered}`,
    tone: 'own',
  };
}

export function toCells(row: BreakdownRow): Cell[] {
  const rival = findRival(row);
  return [
    row.mention_rate,
    row.mention_rate_low,
    row.mention_rate_high,
    rival?.name ?? null,
    rival?.value ?? null,
    row.units_answered,
  ];
}
