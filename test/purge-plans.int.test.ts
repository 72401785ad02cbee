import { randomUUID } from 'node:crypto';
import { createDatabase } from '@bv/testkit';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { purgePlan as catalogPlan } from '../services/catalog/src/db/purge.ts';
import { createPurgePlan } from '../services/gateway/src/db/purge.ts';
import { purgePlan as resultsPlan } from '../services/results/src/db/purge.ts';
import { purgePlan as scansPlan } from '../services/scans/src/db/purge.ts';
import { purgePlan as webhooksPlan } from '../services/webhooks/src/db/purge.ts';

type PurgePlan = typeof catalogPlan;

/** Its queries need neither of the stores. */
const gatewayPlan = createPurgePlan(undefined as never, undefined as never);

/** Runs `use` on a new database of a service. */
async function withDatabase(service: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const database = await createDatabase(service);
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
    await database.drop();
  }
}

test.each([
  [
    'catalog',
    catalogPlan,
    `insert into orgs (id, name, tier, overrides, deleted_at) values ($1, 'Acme', 'scale', '{"prompts": 5}', now())`,
  ],
  [
    'gateway',
    gatewayPlan,
    `insert into org_access (org_id, name, tier, api_access, version, created_at, updated_at, deleted_at)
     values ($1, 'Acme', 'scale', true, 1, now(), now(), now())`,
  ],
])('%s clears a deleted organisation once, and later checks write nothing', async (service, plan, insert) => {
  await withDatabase(service, async (client) => {
    const orgId = randomUUID();
    await client.query(insert, [orgId]);
    const clear = async () => (await client.query(plan.clear ?? '', [orgId])).rowCount;
    expect(await clear()).toBe(1);
    expect(await clear()).toBe(0);
  });
});

/** The queries by which a purge finds rows, by table. */
function listQueries({ brands, tables }: PurgePlan): [string, string][] {
  const found = tables
    .filter(({ isRemovedWithOthers }) => isRemovedWithOthers !== true)
    .map(({ table, rows }): [string, string] => [table, rows]);
  const ofBrands = (brands?.tables ?? []).map(({ table, column }): [string, string] => [
    table,
    `${column} = $1`,
  ]);
  const queries = [...ofBrands, ...found].map(([table, rows]): [string, string] => [
    table,
    `select ctid from ${table} where ${rows} limit 50`,
  ]);
  return brands === undefined ? queries : [['list of brands', brands.list], ...queries];
}

type Node = { 'Node Type': string; 'Index Cond'?: string; 'Relation Name'?: string; Plans?: Node[] };

/** The tables of which a plan reads all rows, although the planner avoids it. */
function listWholeReads(node: Node): string[] {
  const type = node['Node Type'];
  const isWhole =
    type === 'Seq Scan' || (/^(?:Bitmap )?Index.* Scan$/.test(type) && node['Index Cond'] === undefined);
  const own = isWhole ? [`${type} ${node['Relation Name'] ?? ''}`] : [];
  return [...own, ...(node.Plans ?? []).flatMap(listWholeReads)];
}

test.each([
  ['catalog', catalogPlan],
  ['gateway', gatewayPlan],
  ['scans', scansPlan],
  ['webhooks', webhooksPlan],
  ['results', resultsPlan],
])('%s finds the rows of an organisation by an index', async (service, plan) => {
  await withDatabase(service, async (client) => {
    await client.query('set enable_seqscan = off');
    const whole: Record<string, string[]> = {};
    for (const [table, query] of listQueries(plan)) {
      const text = `explain (format json) ${query.replaceAll('$1', `'${randomUUID()}'::uuid`)}`;
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(text);
      const reads = rows[0]?.['QUERY PLAN'].flatMap(({ Plan }) => listWholeReads(Plan)) ?? [];
      if (reads.length > 0) whole[table] = reads;
    }
    expect(whole).toEqual({});
  });
});
