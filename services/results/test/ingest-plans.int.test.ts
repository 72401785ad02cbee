import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool, transaction } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase } from '@bv/testkit';
import { ingestUnits } from '../src/commands/ingest-units.ts';
import { addSourceSums } from '../src/db/sources.ts';
import { brandData, promptData, unitData } from './events.ts';
import { explainPlan } from './explain-plan.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let pool: Pool;

/** One connection, because plans belong to a connection. Statistics change only when the test says so. */
beforeAll(async () => {
  database = await createDatabase('results');
  pool = createPool({
    connectionString: database.url,
    max: 1,
    applicationName: 'test',
    log: createLogger({ service: 'results', level: 'silent' }),
    metrics: createMetrics('test'),
  });
  const { rows } = await pool.query<{ partition: string }>(
    "select inhrelid::regclass as partition from pg_inherits where inhparent in ('units'::regclass, 'unit_sources'::regclass)",
  );
  for (const { partition } of rows) {
    await pool.query(`alter table ${partition} set (autovacuum_enabled = off)`);
  }
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const own = brandData();
const prompt = promptData(own);
const sources = [1, 2].map((position) => ({
  position,
  url: `https://s${position}.com/`,
  domain: '',
  title: null,
  cited: true,
}));
const ingest = (count: number) =>
  transaction(pool, (tx) =>
    ingestUnits(
      tx,
      Array.from({ length: count }, () => unitData(prompt, [{ ...own, position: 1 }], { sources })),
    ),
  );

test('whatever plans were made for empty tables, a batch of new units is stored without reading stored ones', async () => {
  // Postgres keeps one plan for all parameters after five executions.
  for (let executions = 0; executions < 8; executions += 1) await ingest(1);
  for (const execution of [
    "add_cited_domains\"('[]')",
    "add_cited_pages\"('[]')",
    `add_answered_days"('{}', '{}', '{}', '{}', '{}')`,
  ]) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain execute "results.${execution}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Insert on');
    expect(plan).not.toMatch(/Scan .*on units|Scan .*on unit_sources/);
  }
});

test('the sums of stored units are read by their ids, also with a partition that was empty at its last statistics', async () => {
  await pool.query('analyze unit_sources; analyze units');
  await ingest(500);
  const { rows } = await pool.query<{ id: string }>('select id from units where brand_id = $1', [own.id]);
  const ids = rows.map(({ id }) => id);
  const client = await pool.connect();
  await client.query('begin');
  const nodes = await explainPlan(client, (db) => addSourceSums(db, own.id, ids), 'auto');
  await client.query('rollback');
  client.release();
  expect(nodes.map((node) => node['Index Name'])).toEqual(
    expect.arrayContaining(['units_pkey', 'unit_sources_pkey']),
  );
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
});
