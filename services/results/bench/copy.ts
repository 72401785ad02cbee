import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool } from '@bv/postgres';
import { from as copyFrom } from 'pg-copy-streams';
import type { FinalisedUnit } from '../src/db/units.ts';
import { sumTables, toSumRows } from './copy-sums.ts';

type Cell = string | number | boolean | null;

const tables = {
  units:
    'id, org_id, brand_id, prompt_id, job_id, platform, country, run_date, finalized_at, outcome, mentioned, position, sentiment, cited, answer_text, answer_truncated, model, search_used, localization, search_queries',
  unit_brands:
    'own_brand_id, unit_id, ordinal, brand_id, name, domain, is_own, mentioned, mention_count, position, sentiment, cited',
  unit_sources: 'own_brand_id, unit_id, position, url, domain, title, cited',
  ...sumTables,
} as const;
type Table = keyof typeof tables;
const names = Object.keys(tables) as Table[];

/** Creates bare tables with the columns, indexes and checks of the service's tables, but without partitions. */
export async function createBareTables(pool: Pool): Promise<void> {
  for (const table of names) {
    await pool.query(`create table bare_${table} (like ${table} including all)`);
  }
}

/** Writes the rows of the units by COPY, in one transaction. Returns the number of rows. */
export async function copyUnits(pool: Pool, units: readonly FinalisedUnit[]): Promise<number> {
  const rows = toRows(units);
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const table of names) {
      const sink = client.query(copyFrom(`copy bare_${table} (${tables[table]}) from stdin`));
      await pipeline(Readable.from([rows[table].map(toCopyLine).join('')]), sink);
    }
    await client.query('commit');
  } finally {
    client.release();
  }
  return names.reduce((sum, table) => sum + rows[table].length, 0);
}

function toRows(units: readonly FinalisedUnit[]): Record<Table, Cell[][]> {
  return {
    ...toSumRows(units),
    units: units.map((unit) => {
      const own = unit.brands[0];
      const { unit_id, job_id, model, answer_text } = unit;
      const found = [
        own?.mentioned ?? false,
        own?.position ?? null,
        own?.sentiment ?? null,
        own?.cited ?? false,
      ];
      const key = [unit_id, unit.org_id, unit.brand_id, unit.prompt_id, job_id, unit.platform, unit.country];
      const answered = [answer_text, unit.answer_truncated, model, unit.search_used, unit.localization];
      const queries = `{${unit.search_queries.map((query) => `"${query}"`).join(',')}}`;
      return [...key, unit.run_date, unit.finalized_at, unit.outcome, ...found, ...answered, queries];
    }),
    unit_brands: units.flatMap(({ unit_id, brand_id: ownBrandId, brands }) =>
      brands.map((b, ordinal) => {
        const { brand_id, name, domain, is_own, mentioned, mention_count, position, sentiment, cited } = b;
        const found = [mentioned, mention_count, position, sentiment, cited];
        return [ownBrandId, unit_id, ordinal, brand_id, name, domain, is_own, ...found];
      }),
    ),
    unit_sources: units.flatMap(({ unit_id, brand_id: ownBrandId, sources }) =>
      sources.map(({ position, url, domain, title, cited }) => [
        ownBrandId,
        unit_id,
        position,
        url,
        domain,
        title,
        cited,
      ]),
    ),
  };
}

/** A line in the text format of COPY. Generated data has no tabs, newlines or backslashes, so nothing is escaped. */
const toCopyLine = (cells: readonly Cell[]): string =>
  `${cells.map((cell) => (cell === null ? '\\N' : String(cell))).join('\t')}\n`;
