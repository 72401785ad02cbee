import type { DateWindow } from '@bv/contract';
import { addDays } from './calendar.ts';

/** Keeps a statement far below the statement timeout. */
const maxCellDaysPerStatement = 1_000_000;

/** Splits a window for statements that read its cells: into one part, unless the brand has very many cells. */
export function splitWindow(
  { from, to }: DateWindow,
  seriesDays: readonly { units_total: number }[],
): DateWindow[] {
  // The units of a day that scores count are its cells.
  const maxCells = seriesDays.reduce((max, day) => Math.max(max, day.units_total), 1);
  const step = Math.max(1, Math.floor(maxCellDaysPerStatement / maxCells));
  const parts: DateWindow[] = [];
  for (let start = from; start <= to; start = addDays(start, step)) {
    const end = addDays(start, step - 1);
    parts.push({ from: start, to: end < to ? end : to });
  }
  return parts;
}
