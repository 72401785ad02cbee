import type { Queryable } from '@bv/postgres';
import pg from 'pg';

export type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Temp Written Blocks'?: number;
  Plans?: Plan[];
};

/** The plan nodes of the statement that a function of src/db sends, as a custom or a generic plan. */
export async function explainPlan(
  client: pg.ClientBase,
  run: (db: Queryable) => Promise<unknown>,
  mode: string,
): Promise<Plan[]> {
  let query: { text: string; values: unknown[] } | undefined;
  const recorder = {
    query: async (sent: { text: string; values: unknown[] }) => {
      query = sent;
      return { rows: [], rowCount: 0 };
    },
  };
  await run(recorder as unknown as Queryable);
  if (query === undefined) throw new Error('no statement was sent');
  const literals = (query.values as (string | number | null | string[])[]).map((value) => {
    if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`);
    return value === null ? 'null' : pg.escapeLiteral(String(value));
  });
  await client.query(`set plan_cache_mode = ${mode}; prepare watched as ${query.text}`);
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute watched(${literals.join(', ')})`,
  );
  await client.query('deallocate watched');
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
  return flat(rows[0]['QUERY PLAN'][0].Plan);
}
