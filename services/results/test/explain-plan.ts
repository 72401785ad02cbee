import type { Queryable } from '@bv/postgres';
import pg from 'pg';

export type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  /** Name of the partition that the node reads; the names above are those of its table and index. */
  partition?: string;
  'Actual Loops': number;
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
  let query: Statement | undefined;
  const recorder = {
    query: async (sent: Statement) => {
      query ??= sent;
      return { rows: [], rowCount: 0 };
    },
  };
  await run(recorder as unknown as Queryable);
  if (query === undefined) throw new Error('no statement was sent');
  return explainStatement(client, query, mode);
}

type Statement = { text: string; values: unknown[] };

/** The plan nodes of a statement. It runs. */
export async function explainStatement(
  client: pg.ClientBase,
  query: Statement,
  mode: string,
): Promise<Plan[]> {
  const literals = (query.values as (string | number | boolean | null | string[])[]).map((value) => {
    if (Array.isArray(value)) return pg.escapeLiteral(toArrayLiteral(value));
    return value === null ? 'null' : pg.escapeLiteral(String(value));
  });
  await client.query(`set plan_cache_mode = ${mode}; prepare watched as ${query.text}`);
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute watched(${literals.join(', ')})`,
  );
  await client.query('deallocate watched');
  const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];
  const parents = await listParents(client);
  return flat(rows[0]['QUERY PLAN'][0].Plan).map((node) => withParents(node, parents));
}

/** Tables of partitions, and indexes of their indexes. */
async function listParents(client: pg.ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select c.relname as child, p.relname as parent
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent`,
  );
  return new Map(rows.map(({ child, parent }) => [child, parent]));
}

function withParents(node: Plan, parents: ReadonlyMap<string, string>): Plan {
  const { 'Relation Name': relation, 'Index Name': index } = node;
  const table = relation === undefined ? undefined : parents.get(relation);
  return {
    ...node,
    ...(table !== undefined && { partition: relation, 'Relation Name': table }),
    ...(index !== undefined && { 'Index Name': parents.get(index) ?? index }),
  };
}

const toArrayLiteral = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => (value === null ? 'null' : JSON.stringify(String(value)))).join(',')}}`;
