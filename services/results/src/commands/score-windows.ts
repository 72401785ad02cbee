import type { DateWindow } from '@bv/contract';
import type { Queryable } from '@bv/postgres';
import { listCellChanges, replaceCellDays, toWindowCell } from '../db/cell-days.ts';
import { updateDayModels } from '../db/day-sums.ts';
import { replaceNameDays } from '../db/name-days.ts';
import { findKeptDays } from '../db/retention.ts';
import { listSeriesDays, type SeriesDay } from '../db/scores.ts';
import {
  deleteWindowScores,
  insertWindowScores,
  type WindowDays,
  type WindowScoreValues,
} from '../db/window-scores.ts';
import { addDays } from '../domain/calendar.ts';
import { joinVersions } from '../domain/method-versions.ts';
import { isTextKept } from '../domain/retention.ts';
import { splitWindow } from '../domain/split-window.ts';
import { createWindowCells, type WindowCell } from '../domain/window-cells.ts';
import { computeWindowFigures } from '../domain/window-scores.ts';

const windows: readonly WindowDays[] = [7, 28];
const maxDays = 28;

type BrandDay = { brandId: string; runDate: string };

/**
 * Recomputes the sums by cell and the models of a brand's day, and every window that contains the day. Idempotent. The
 * caller holds the lock of the brand's token row, the scores of the day are written, and its units are kept.
 */
export async function scoreWindows(db: Queryable, brandId: string, runDate: string): Promise<void> {
  await replaceCellDays(db, brandId, runDate);
  // A day whose texts are cleared keeps its names.
  if (isTextKept(await findKeptDays(db, brandId), runDate)) await replaceNameDays(db, brandId, runDate);
  await updateDayModels(db, brandId, runDate);
  const range = { from: addDays(runDate, 1 - maxDays), to: addDays(runDate, maxDays - 1) };
  const seriesDays = await listSeriesDays(db, brandId, range);
  for (const windowDays of windows) await recomputeWindows(db, { brandId, runDate }, windowDays, seriesDays);
}

/** Recomputes the windows of one length. The window moves over the days: each day is read once or twice. */
async function recomputeWindows(
  db: Queryable,
  { brandId, runDate }: BrandDay,
  windowDays: WindowDays,
  seriesDays: readonly SeriesDay[],
): Promise<void> {
  const to = addDays(runDate, windowDays - 1);
  await deleteWindowScores(db, brandId, { windowDays, from: runDate, to });
  const cells = createWindowCells();
  let previous: DateWindow | null = null;
  for (const end of listEnds({ from: runDate, to }, seriesDays)) {
    const window: DateWindow = toWindow(end, windowDays);
    for (const days of previous === null ? firstWindow(window, seriesDays) : [moveWindow(previous, window)]) {
      cells.add((await listCellChanges(db, brandId, days)).map(toWindowCell));
    }
    const rows = toRows(cells.list(), window, seriesDays);
    await insertWindowScores(db, { brandId, windowDays, runDate: end }, rows);
    previous = window;
  }
}

type ChangedDays = { added: DateWindow; removed: DateWindow | null };

/** The days that enter and leave. Both windows contain the day that is scored, so they overlap. */
const moveWindow = (previous: DateWindow, { from, to }: DateWindow): ChangedDays => ({
  added: { from: addDays(previous.to, 1), to },
  removed: { from: previous.from, to: addDays(from, -1) },
});

/** The days of a first window. */
const firstWindow = (window: DateWindow, seriesDays: readonly SeriesDay[]): ChangedDays[] =>
  splitWindow(window, seriesDays).map((added) => ({ added, removed: null }));

const toWindow = (end: string, windowDays: WindowDays): DateWindow => ({
  from: addDays(end, 1 - windowDays),
  to: end,
});

const isWithin = ({ from, to }: DateWindow, day: string): boolean => day >= from && day <= to;

/** The days with scores: a window ends on each. */
const listEnds = (range: DateWindow, seriesDays: readonly SeriesDay[]): string[] =>
  seriesDays.filter((day) => day.country === '' && isWithin(range, day.run_date)).map((day) => day.run_date);

/** A row of each series that has scores on the last day of the window. */
function toRows(
  cells: readonly WindowCell[],
  window: DateWindow,
  seriesDays: readonly SeriesDay[],
): WindowScoreValues[] {
  const cellsByCountry = Map.groupBy(cells, ({ country }) => country);
  const daysByCountry = Map.groupBy(
    seriesDays.filter((day) => isWithin(window, day.run_date)),
    ({ country }) => country,
  );
  return Array.from(daysByCountry, ([country, days]) => ({ country, days }))
    .filter(({ days }) => days.some((day) => day.run_date === window.to))
    .map(({ country, days }) => ({
      ...computeWindowFigures(country === '' ? cells : (cellsByCountry.get(country) ?? [])),
      country,
      method_version: joinVersions(days.map((day) => day.method_version)),
    }));
}
