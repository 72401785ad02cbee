import { randomUUID } from 'node:crypto';
import type { FinalisedUnit } from '../src/db/units.ts';

type Cell = string | number | null;

/** Tables of the sums by day and source, and the columns that a batch writes. */
export const sumTables = {
  source_days: 'brand_id, run_date, domain, platform, country, citations, units_cited, units_mentioned',
  source_pages: 'brand_id, run_date, domain, platform, country, url, title, citations',
  answered_days: 'brand_id, run_date, platform, country, units_answered',
} as const;

/**
 * As many rows as the ingest adds or updates in the tables of sums. COPY cannot update, so each batch has a brand of its
 * own, and all rows are new.
 */
export function toSumRows(units: readonly FinalisedUnit[]): Record<keyof typeof sumTables, Cell[][]> {
  const brand = randomUUID();
  const sources = units.flatMap(({ run_date, platform, country, sources: all }) =>
    all.map(({ domain, url, title }) => ({ market: [platform, country], run_date, domain, url, title })),
  );
  const days = sources.map(({ run_date, domain, market }) => [brand, run_date, domain, ...market]);
  const pages = sources.map(
    ({ run_date, domain, market: [platform = '', country = ''], url, title }): Cell[] => {
      const day = [brand, run_date, domain, platform, country];
      return [...day, url, title];
    },
  );
  const answers = units.map(({ run_date, platform, country }) => [brand, run_date, platform, country]);
  return {
    source_days: distinct(days).map((row) => [...row, 1, 1, 1]),
    source_pages: distinct(pages).map((row) => [...row, 1]),
    answered_days: distinct(answers).map((row) => [...row, 1]),
  };
}

const distinct = (rows: readonly Cell[][]): Cell[][] => [
  ...new Map(rows.map((row) => [row.join(' '), row])).values(),
];
