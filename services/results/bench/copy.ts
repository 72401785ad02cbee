import { copyRows, type Pool, transaction } from '@bv/postgres';
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
export function copyUnits(pool: Pool, units: readonly FinalisedUnit[]): Promise<number> {
  const rows = toRows(units);
  return transaction(pool, async (tx) => {
    let count = 0;
    for (const name of names) {
      const columns = tables[name].split(', ');
      count += await copyRows(tx, { name: `bench.copy_${name}`, table: `bare_${name}`, columns }, rows[name]);
    }
    return count;
  });
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
