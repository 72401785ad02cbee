import { platformIds } from '@bv/contract';
import type { NamedQuery } from '@bv/postgres';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { countQueueQuery, duePlatformsQuery, leaseUnitsQuery } from '../src/db/units.ts';
import { type Harness, startScans } from './harness.ts';

/** 200,000 pending units of 400 organisations, all of one platform, and no worker. */
let harness: Harness;
let client: pg.Client | undefined;

beforeAll(async () => {
  harness = await startScans();
  await harness.query(
    `with jobs as (
       insert into scan_jobs (id, org_id, brand_id, trigger, run_date, idempotency_key, units_total, platforms,
         countries, tracked_brands, brand_as_of, queued_at, charged)
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'scheduled', '2026-01-02', gen_random_uuid(),
         500, '{chatgpt}', '{US}', '[]', now(), now(), 'none' from generate_series(1, 400)
       returning id)
     insert into scan_units (job_id, prompt_id, prompt_text, platform, country, virtual_time)
     select id, gen_random_uuid(), 'Which?', 'chatgpt', 'US', virtual_time
     from jobs, generate_series(1, 500) as virtual_time`,
  );
  await harness.query('analyze scan_units');
  client = new pg.Client({ connectionString: harness.database.url });
  await client.connect();
}, 120_000);

afterAll(async () => {
  await client?.end();
  await harness.stop();
});

type PlanNode = {
  'Node Type': string;
  'Index Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};
const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];

/** Runs the statement with a generic plan, and undoes it. `types` are those of its parameters. */
async function explain({ text, values }: NamedQuery, types: string[] = []) {
  if (client === undefined) throw new Error('not connected');
  await client.query('begin');
  try {
    await client.query('set local plan_cache_mode = force_generic_plan');
    const typeList = types.length === 0 ? '' : `(${types.join(', ')})`;
    await client.query(`prepare watched ${typeList} as ${text}`);
    const literals = values.map((value) =>
      pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value)),
    );
    const parameters = literals.length === 0 ? '' : `(${literals.join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, format json) execute watched ${parameters}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (plan === undefined) throw new Error('no plan');
    const nodes = listNodes(plan);
    return {
      types: nodes.map((node) => node['Node Type']),
      indexes: new Set(nodes.flatMap((node) => node['Index Name'] ?? [])),
      blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    };
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
}

test('leasing reads only the rows it leases', async () => {
  const query = leaseUnitsQuery({
    platform: 'chatgpt',
    limit: 8,
    concurrency: 40,
    leaseMs: 30_000,
    takeOver: true,
    held: [],
    attempted: [],
  });
  const { types, indexes, blocks } = await explain(query, [
    'text',
    'int',
    'int',
    'float8',
    'boolean',
    'uuid[]',
    'uuid[]',
  ]);
  expect(indexes).toEqual(new Set(['scan_units_pending', 'scan_units_pkey', 'scan_units_running']));
  expect(types).not.toContain('Seq Scan');
  expect(types).not.toContain('Sort');
  expect(blocks).toBeLessThan(600);
});

test('the platforms with due units are found by one row each, also those without any', async () => {
  const { types, indexes, blocks } = await explain(duePlatformsQuery(platformIds), ['text[]']);
  expect(indexes).toEqual(new Set(['scan_units_pending', 'scan_units_running']));
  expect(types).not.toContain('Seq Scan');
  expect(blocks).toBeLessThan(60);
});

test('the queue is counted without the units of ended jobs', async () => {
  if (client === undefined) throw new Error('not connected');
  await client.query(`update scan_units set status = 'answered' where virtual_time > 5`);
  // The estimate counts the empty pages that this update leaves. Units that end one after another leave few.
  await client.query('reindex table scan_units');
  await client.query('vacuum analyze scan_units');
  const { types, indexes } = await explain(countQueueQuery);
  expect(indexes).toEqual(new Set(['scan_units_pending', 'scan_units_running']));
  expect(types).not.toContain('Seq Scan');
});
