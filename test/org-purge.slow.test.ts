import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Receiver, retryUnavailable, startReceiver } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { importLine, startSystem, type System } from './system.ts';

const services = ['catalog', 'gateway', 'results', 'scans', 'webhooks'];
/** Messages are deleted after days anyway; the others keep the id of the organisation. */
const keepsIds = new Set(['outbox', 'inbox', 'org_purges', 'orgs', 'org_access']);
/** Rows are deleted within seconds, or only some services have them. */
const mayBeEmpty = (table: string): boolean => /\.(?:unscored_days|processed_operations)$/.test(table);

let system: System;
let receiver: Receiver;
let database: pg.Pool;
beforeAll(async () => {
  [system, receiver] = await Promise.all([startSystem(), startReceiver(() => 204)]);
  const url = new URL(system.stack.urls.postgres);
  url.pathname = '/brand_visibility';
  database = new pg.Pool({ connectionString: url.href });
}, 180_000);
afterAll(async () => {
  await database.end();
  await Promise.all([system.stop(), receiver.close()]);
}, 60_000);

/** Subscribes a partner to the changes and to a threshold of an organisation, so that its events have effects. */
async function subscribe(partner: string, org: string): Promise<void> {
  const ofKey = { scopes: ['read', 'write'], per_minute: 1_000 };
  const minted = await system.operate('POST', `/partners/${partner}/keys`, ofKey);
  const { key } = minted.body.data as { key: string };
  const added = await system.call('POST', '/webhook-endpoints', {
    key,
    body: { url: `${receiver.url}/hook` },
  });
  await eventually(async () =>
    expect((await system.call('GET', '/webhook-endpoints', { key })).body.data[0].status).toBe('active'),
  );
  for (const body of [
    { event_type: 'scan.completed', org_id: org },
    { event_type: 'score.threshold_crossed', org_id: org, threshold: 50 },
  ])
    await system.call('POST', `/webhook-endpoints/${added.body.data.id}/subscriptions`, { key, body });
}

/** An organisation with a partner's link, a key, a brand with a competitor, and answers of a scan and an import. */
async function addOrg() {
  const org = (await system.operate('POST', '/orgs', { name: 'Acme', tier: 'scale' })).body.data.id as string;
  const partner = (await system.operate('POST', '/partners', { name: 'Globex' })).body.data.id as string;
  await system.operate('PUT', `/partners/${partner}/links/${org}`, { scope: 'read_write' });
  await subscribe(partner, org);
  const minted = await system.operate('POST', `/orgs/${org}/keys`, {
    scopes: ['read', 'write'],
    per_minute: 100_000,
  });
  const { id: keyId, key } = minted.body.data as { id: string; key: string };
  const call = (method: string, path: string, body?: unknown) => {
    const headers = { 'idempotency-key': randomUUID() };
    return retryUnavailable(() => system.call(method, `/orgs/${org}${path}`, { key, body, headers }));
  };
  const property = await call('POST', '/properties', {
    name: 'Acme',
    domain: 'acme.com',
    markets: ['US'],
    competitors: [{ name: 'Rival', domain: 'rival.com' }],
  });
  const brand = property.body.data.id as string;
  const text = 'Which anvil is best?';
  const prompt = (await call('POST', `/brands/${brand}/prompts`, { text, countries: ['US'] })).body.data.id;
  const lines = [1, 2, 3].map((daysAgo) => importLine({ brandId: brand, promptId: prompt, daysAgo }));
  expect((await system.operate('POST', '/results/import', lines.join('\n'))).body.data.imported).toBe(3);
  const scan = await call('POST', `/brands/${brand}/scan-requests`);
  await eventually(
    async () => {
      const job = await call('GET', `/brands/${brand}/scan-requests/${scan.body.data.job_id}`);
      expect(job.body.data.status).toBe('completed');
    },
    { timeoutMs: 60_000 },
  );
  await eventually(async () =>
    expect((await call('GET', `/brands/${brand}/scores`)).body.data).toHaveLength(4),
  );
  await call('POST', `/brands/${brand}/reprocess-requests`, {});
  for (const tag of ['treated', 'control']) {
    const prompts = [1, 2, 3, 4, 5].map((n) => ({ text: `${tag} ${n}`, countries: ['US'], tags: [tag] }));
    await call('PUT', `/brands/${brand}/prompts`, { prompts, deactivate_missing: false });
  }
  await eventually(async () => {
    const { status, body } = await call('POST', `/brands/${brand}/experiments`, {
      name: 'Pages',
      // It ended before today, so it is completed and its event is published.
      starts_on: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10),
      treated: { tags: ['treated'] },
      control: { tags: ['control'] },
      post_days: 7,
    });
    expect([status, body.error?.details]).toEqual([201, undefined]);
  });
  // As a stopped request, an earlier version, the schedule and a found change leave them.
  for (const text of [
    'insert into catalog.operation_progress (operation_id, brand_id) values (gen_random_uuid(), $1)',
    `insert into catalog.scan_allowances (org_id, used, resets_at, scan_credits, version)
     select org_id, 0, now(), 0, 1 from catalog.brands where id = $1`,
    'insert into scans.schedule_runs (brand_id, run_date) values ($1, now())',
    `insert into results.name_judgements (brand_id, key, kind) values ($1, 'globex', 'brand')`,
    `insert into webhooks.change_states (endpoint_id, brand_id, metric, country, window_days, run_date, updated_at)
     select endpoint_id, $1, 'score', '', 7, now(), now() from webhooks.subscriptions limit 1`,
  ])
    await database.query(text, [brand]);
  return { org, keyId, brand, prompt, key, partner };
}
type Org = Awaited<ReturnType<typeof addOrg>>;

/** Tables with a row that has one of these texts, and the number of such rows. */
async function findRows(ids: readonly string[]): Promise<Record<string, number>> {
  const { rows: tables } = await database.query<{ name: string; plain: string }>(
    `select format('%I.%I', table_schema, table_name) as name, table_name as plain from information_schema.tables
     where table_schema = any ($1) and table_type = 'BASE TABLE' order by 1`,
    [services],
  );
  const found: Record<string, number> = {};
  for (const { name, plain } of tables) {
    // Responses to the partner about its own endpoints are deleted after days.
    if (keepsIds.has(plain) || name === 'webhooks.processed_operations') continue;
    const { rows } = await database.query<{ count: number }>(
      `select count(*)::int as count from ${name} t
       where exists (select from unnest($1::text[]) id where strpos(t::text, id) > 0)`,
      [ids],
    );
    if (rows[0] !== undefined && rows[0].count > 0) found[name] = rows[0].count;
  }
  return found;
}
/** Columns by which a row belongs to an organisation, a brand or a prompt. */
async function listOwnedTables(): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select distinct format('%I.%I', table_schema, table_name) as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = any ($1) and table_type = 'BASE TABLE' and table_name <> all ($2)
       and (column_name ~ '(org|brand|prompt|owner)_id$' or table_name in ('brands', 'prompts'))
       and not exists (select from pg_inherits where inhrelid = format('%I.%I', table_schema, table_name)::regclass)
     order by 1`,
    [services, [...keepsIds]],
  );
  return rows.map(({ name }) => name);
}

/** Sends the events with one of these ids again, as if no service had them. Returns their types when all are handled. */
async function deliverLate(ids: readonly string[]): Promise<string[]> {
  const types = new Set<string>();
  for (const source of services) {
    const { rows } = await database.query<{ id: string; type: string }>(
      `select id, type from ${source}.outbox
       where exists (select from unnest($1::text[]) id where strpos(envelope::text, id) > 0)`,
      [ids],
    );
    const events = rows.map(({ id }) => id);
    for (const service of services)
      await database.query(`delete from ${service}.inbox where event_id = any ($1)`, [events]);
    await database.query(
      `update ${source}.outbox set sent_at = null, stream_seq = null, republished = republished + 1
       where id = any ($1)`,
      [events],
    );
    for (const { type } of rows) types.add(type);
  }
  const unsent = services.map((service) => `select from ${service}.outbox where sent_at is null`);
  await eventually(async () => expect((await database.query(unsent.join(' union all '))).rowCount).toBe(0));
  await eventually(async () => {
    const { body } = await system.operate('GET', '/status');
    const queues = body.data.services.flatMap((service: { queues: { waiting: number }[] }) => service.queues);
    expect(queues.filter(({ waiting }: { waiting: number }) => waiting > 0)).toEqual([]);
  });
  return [...types].toSorted();
}
/** A partner's event has no id of an organisation. */
const lateTypes = readdirSync(new URL('../docs/events/', import.meta.url))
  .map((file) => file.replace('.json', ''))
  .filter((type) => type !== 'gateway.partner.changed.v1');

const idsOf = ({ org, keyId, brand, prompt }: Org): string[] => [org, keyId, brand, prompt];

type Report = {
  state: string;
  services: { service: string; state: string }[];
  tables: { service: string; table: string; removed: number; remaining: number }[];
};

const readPurge = async (org: string): Promise<Report> =>
  (await system.operate('GET', `/orgs/${org}/purge`)).body.data;

const readCompletedPurge = (org: string): Promise<Report> =>
  eventually(
    async () => {
      const report = await readPurge(org);
      expect(report).toMatchObject({ state: 'completed' });
      return report;
    },
    { timeoutMs: 90_000, intervalMs: 500 },
  );

async function requestPurge(org: string): Promise<void> {
  await retryUnavailable(() => system.operate('DELETE', `/orgs/${org}`));
  const requested = await retryUnavailable(() => system.operate('POST', `/orgs/${org}/purge`));
  expect(requested.body.data).toEqual({ org_id: org, requested_at: expect.any(String) });
}

/** Removed rows of the tables with any, as `service.table`. */
const listRemoved = ({ tables }: Report): Record<string, number> =>
  Object.fromEntries(
    tables
      .filter(({ removed }) => removed > 0)
      .map(({ service, table, removed }) => [`${service}.${table}`, removed]),
  );

/** Reads and writes of an organisation until they are stopped. Every response must be the same as the first. */
function startTraffic({ org, key, brand, prompt }: Org): () => Promise<number> {
  let isStopped = false;
  const work = async (): Promise<number> => {
    const first: Record<string, unknown> = {};
    let rounds = 0;
    while (!isStopped || rounds < 2) {
      for (const path of ['mentions?limit=3', 'scores', 'scores?window=7d', 'sources']) {
        const { status, body } = await system.call('GET', `/orgs/${org}/brands/${brand}/${path}`, { key });
        first[path] ??= body.data;
        expect({ path, status, data: body.data }).toEqual({ path, status: 200, data: first[path] });
      }
      const body = { countries: ['US'] };
      const changed = await system.call('PATCH', `/orgs/${org}/prompts/${prompt}`, { key, body });
      expect(changed.status).toBe(200);
      rounds += 1;
      // Leaves time to the purge.
      await sleep(50);
    }
    return rounds;
  };
  const ended = work();
  ended.catch(() => undefined);
  return () => {
    isStopped = true;
    return ended;
  };
}

test('a purge deletes the data of one organisation in all services, while another one works', async () => {
  const [purged, kept] = [await addOrg(), await addOrg()];
  const before = await findRows(idsOf(kept));
  const cases = Object.keys(await findRows(idsOf(purged)));
  const owned = await listOwnedTables();
  expect(owned.filter((table) => !cases.includes(table) && !mayBeEmpty(table))).toEqual([]);
  expect(await readPurge(purged.org)).toMatchObject({ state: 'not_requested', tables: [] });
  const early = await system.operate('POST', `/orgs/${purged.org}/purge`);
  expect(early).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });

  const stopTraffic = startTraffic(kept);
  await requestPurge(purged.org);
  const report = await readCompletedPurge(purged.org);
  expect(await stopTraffic()).toBeGreaterThan(1);
  expect(await findRows(idsOf(purged))).toEqual({});
  // The traffic uses units of the quota.
  const withoutQuota = ({ 'gateway.quota_leases': _, ...rows }: Record<string, number>) => rows;
  expect(withoutQuota(await findRows(idsOf(kept)))).toEqual(withoutQuota(before));
  expect(listRemoved(report)).toMatchObject({
    'catalog.brands': 2,
    'catalog.prompts': 11,
    'catalog.processed_operations': expect.any(Number),
    'gateway.api_keys': 1,
    'gateway.redis_counters': 1,
    // Three imported units and one of each platform.
    'results.units': 8,
    'results.unit_brands': expect.any(Number),
    'scans.scan_jobs': 1,
    'webhooks.links': 1,
  });

  expect(await deliverLate(idsOf(purged))).toEqual(lateTypes);
  expect(await findRows(idsOf(purged))).toEqual({});
  expect(await system.operate('POST', `/orgs/${purged.org}/purge`)).toMatchObject({ status: 200 });
  expect(listRemoved(await readPurge(purged.org))).toEqual(listRemoved(report));
}, 240_000);

test('a purge is finished where every process is killed meanwhile, and deletes what late requests leave', async () => {
  const purged = await addOrg();
  await requestPurge(purged.org);
  for (const process of ['catalog', 'results', 'scans', 'webhooks-api', 'gateway']) system.kill(process);
  const { 'results.brands': brands = 0 } = listRemoved(await readCompletedPurge(purged.org));
  expect(await findRows(idsOf(purged))).toEqual({});
  // As a request does that began before.
  await database.query(
    `insert into results.brands (id, org_id, name, domain, is_own, geography, aliases, match, version)
     values ($1, $2, 'Acme', 'acme.com', true, 'global', '{}', '{}', 1)`,
    [purged.brand, purged.org],
  );
  await database.query(`update results.org_purges set checked_at = checked_at - interval '2 hours'`);
  const report = await readCompletedPurge(purged.org);
  expect(listRemoved(report)['results.brands']).toBeGreaterThan(brands);
}, 240_000);
