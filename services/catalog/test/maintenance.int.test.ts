import { randomUUID } from 'node:crypto';
import { createPool } from '@bv/postgres';
import { createLogger, createMetrics } from '@bv/telemetry';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runMaintenance } from '../src/maintenance.ts';
import { addBrand, type Catalog, startCatalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const log = createLogger({ service: 'catalog', level: 'silent' });
const openPool = () =>
  createPool({
    connectionString: catalog.database.url,
    applicationName: 'maintenance-test',
    log,
    metrics: createMetrics('maintenance-test'),
  });
const listOperationIds = async (table: string): Promise<string[]> =>
  (await catalog.sql.query(`select operation_id from ${table} order by created_at desc`)).rows.map(
    ({ operation_id }) => operation_id,
  );

test('responses and progress that are too old for a retry are deleted, newer ones are kept', async () => {
  const { sql } = catalog;
  const brand = await addBrand(catalog, await catalog.addOrg());
  const [recent, old] = [randomUUID(), randomUUID()];
  // More than one batch of each.
  await sql.query(
    `insert into processed_operations (operation_id, operation, status, body, created_at)
     select gen_random_uuid(), 'addPrompt', 201, '{}'::json, now() - interval '49 hours' from generate_series(1, 1100)
     union all select $1::uuid, 'addPrompt', 201, '{}'::json, now() - interval '47 hours'`,
    [recent],
  );
  // One statement: the maintenance of the running process must not see progress whose step is still to come.
  await sql.query(
    `with progress as (
       insert into operation_progress (operation_id, brand_id, created_at)
       select gen_random_uuid(), $1::uuid, now() - interval '73 hours' from generate_series(1, 600)
       union all select $2::uuid, $1::uuid, now() - interval '73 hours' union all select $3::uuid, $1::uuid, now() - interval '71 hours')
     insert into operation_steps (operation_id, position, outcome) values ($2, 0, '{}'), ($3, 0, '{}')`,
    [brand.id, old, recent],
  );
  const pool = openPool();
  await runMaintenance(pool, new AbortController().signal);
  await pool.end();
  // Rows that the running process was deleting are gone a moment later.
  await eventually(async () => {
    expect(await listOperationIds('processed_operations')).toEqual([recent]);
    expect(await listOperationIds('operation_progress')).toEqual([recent]);
  });
  const steps = await sql.query('select operation_id from operation_steps');
  expect(steps.rows).toEqual([{ operation_id: recent }]);
});
