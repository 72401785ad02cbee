import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createPool, type Pool, transaction } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { createDatabase } from '@bv/testkit';
import pg from 'pg';
import { ingestUnits } from '../src/commands/ingest-units.ts';
import { brandData, promptData, unitData } from './events.ts';

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
  await pool.query(
    'alter table units set (autovacuum_enabled = off); alter table unit_sources set (autovacuum_enabled = off)',
  );
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

test('a plan that was made while the tables were almost empty reads new units by their ids', async () => {
  // Postgres keeps one plan for all parameters after five executions.
  for (let executions = 0; executions < 8; executions += 1) await ingest(1);
  await pool.query('analyze unit_sources');
  await ingest(500);
  const ids = pg.escapeLiteral(`{${Array.from({ length: 500 }, () => randomUUID()).join(',')}}`);
  for (const name of ['results.add_source_days', 'results.add_source_pages']) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain execute ${pg.escapeIdentifier(name)} (${ids})`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('unit_sources_pkey');
    expect(plan).not.toContain('Seq Scan');
  }
});
