import type { TestDatabase } from '@bv/testkit';
import pg from 'pg';

/** The same role in another database. */
const inDatabase = (url: string, name: string): string =>
  Object.assign(new URL(url), { pathname: name }).href;

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const listColumns = async (client: pg.Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'own_brand_id' order by attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
};

/** Clones a database without partitions, and moves its rows into partitions. Returns the URL of the clone. */
export async function createLayout(plain: TestDatabase, partitions: number): Promise<string> {
  const name = `bv_test_results_${partitions}_${process.pid}`;
  const template = new URL(plain.adminUrl).pathname.slice(1);
  await withClient(inDatabase(plain.adminUrl, 'postgres'), (client) =>
    client.query(`create database ${name} template ${pg.escapeIdentifier(template)} strategy file_copy`),
  );
  const url = inDatabase(plain.url, name);
  await withClient(url, (client) => partition(client, partitions));
  return url;
}

/** The rows of each brand keep their order. */
async function partition(client: pg.Client, partitions: number): Promise<void> {
  await client.query(`set work_mem = '512MB'; set synchronous_commit = off`);
  await client.query('update partitioning set partitions = $1', [partitions]);
  const { rows } = await client.query<{ name: string }>(
    'select name from partitioned_tables() order by place desc',
  );
  for (const { name } of rows) {
    await client.query('select create_partitioned_table($1, $2)', [name, partitions]);
    if (name === 'unit_brands' || name === 'unit_sources') {
      const columns = await listColumns(client, name);
      await client.query(
        `insert into partitioned_${name} (own_brand_id, ${columns.join(', ')})
         select u.brand_id, ${columns.map((column) => `t.${column}`).join(', ')} from ${name} t join units u on u.id = t.unit_id`,
      );
    } else {
      await client.query(`insert into partitioned_${name} select * from ${name}`);
    }
    // The disk holds each row at most twice. Foreign keys refer to the units.
    if (name !== 'units') await client.query(`truncate ${name}`);
  }
  await client.query('begin');
  await client.query('select switch_to_partitioned_tables()');
  await client.query('commit');
  for (const { name } of rows) await client.query(`drop table unpartitioned_${name} cascade`);
}
