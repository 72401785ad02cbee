import { retryUnavailable } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importLine, startSystem, type System } from './system.ts';

const calls = 8;
/**
 * Statements that run after a request: the relay and consumers of its events, the ledger of charged requests,
 * maintenance jobs, and the polls for reprocess jobs and days whose retention has ended.
 */
const background =
  /: (?:events\.(?!insert_outbox)|gateway\.upsert_used|\w+\.delete_(?:old|processed)_|catalog\.upsert_brand_change)|results: (?:events\.|results\.(?:upsert_|lock_brand|lease_reprocess_|count_reprocess_|count_retention_|list_retained_|list_drifted_|list_brands_to_|list_names_to_|list_merged_|reserve_name_call|find_due_experiment))/;
/** Reads key, owner, organisation and link of the caller for every request. */
const access = { 'gateway: gateway.list_access': 1 };
/** The only statement that a slow machine runs twice: a second lookup starts when the first takes too long. */
const hedged = 'gateway: gateway.list_access';
const once = (...names: string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [`catalog: catalog.${name}`, 1]));
const twice = (...names: string[]): Record<string, number> =>
  Object.fromEntries(names.map((name) => [`catalog: catalog.${name}`, 2]));
const events = (count: number): Record<string, number> => ({ 'catalog: events.insert_outbox': count });

let system: System;
let key: string;
let orgId: string;
let brandId: string;
let promptId: string;
const texts = Array.from({ length: 50 }, (_, index) => `Which tool is best for task ${index}?`);

beforeAll(async () => {
  system = await startSystem();
  const overrides = { prompts: null, own_brands: null };
  const org = await system.operate('POST', '/orgs', { name: 'Acme', tier: 'scale', overrides });
  orgId = org.body.data.id;
  const input = { scopes: ['read', 'write'], per_minute: 6_000 };
  key = (await system.operate('POST', `/orgs/${orgId}/keys`, input)).body.data.key;
  brandId = (await create('property', 0)).body.data.id;
  const body = { prompts: texts.map((text) => ({ text, countries: ['US'] })) };
  await retryUnavailable(() => system.call('PUT', `/orgs/${orgId}/brands/${brandId}/prompts`, { key, body }));
  const listed = await retryUnavailable(() => system.call('GET', `/orgs/${orgId}/prompts?limit=50`, { key }));
  const promptIds: string[] = listed.body.data.map(({ id }: { id: string }) => id);
  expect(promptIds.length).toBe(50);
  [promptId = ''] = promptIds;
  const lines = promptIds.flatMap((prompt) =>
    Array.from({ length: 20 }, (_, day) => importLine({ brandId, promptId: prompt, daysAgo: day + 1 })),
  );
  const imported = await system.operate('POST', '/results/import', `${lines.join('\n')}\n`);
  expect(imported.body.data).toMatchObject({ imported: 1_000 });
}, 180_000);
afterAll(() => system.stop(), 60_000);

const create = (name: string, number: number) =>
  system.call('POST', `/orgs/${orgId}/properties`, {
    key,
    body: {
      name: `${name} ${number}`,
      domain: `${name}-${number}.com`,
      markets: ['US'],
      competitors: [{ name: 'HubSpot', domain: 'hubspot.com' }],
    },
  });

/** Number of executions of each named statement so far, in gateway, catalog and results. */
async function countStatements(): Promise<Map<string, number>> {
  const { gateway, catalog, results } = system.stack.ports;
  const counts = new Map<string, number>();
  for (const [service, { monitoring }] of Object.entries({ gateway, catalog, results })) {
    const text = await (await fetch(`http://127.0.0.1:${monitoring}/metrics`)).text();
    for (const [, labels, count] of text.matchAll(/^bv_db_query_duration_seconds_count\{(.*)\} (\d+)$/gm)) {
      const query = /query="([^"]+)"/.exec(labels ?? '')?.[1];
      const name = `${service}: ${query}`;
      counts.set(name, (counts.get(name) ?? 0) + Number(count));
    }
  }
  return counts;
}

/** Statements per request by name. A fraction means that not every request ran it. */
async function countStatementsPerRequest(request: (number: number) => Promise<{ status: number }>) {
  // The first request may run statements that are needed once.
  expect((await request(0)).status).toBeLessThan(300);
  const before = await countStatements();
  for (let number = 1; number <= calls; number += 1) {
    expect((await request(number)).status).toBeLessThan(300);
  }
  const after = await countStatements();
  const perRequest = [...after]
    .filter(([name]) => !background.test(name))
    .map(([name, count]) => [name, (count - (before.get(name) ?? 0)) / calls] as const)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => [name, name === hedged ? Math.floor(count) : count]);
  return Object.fromEntries(perRequest);
}

const get = (path: string) => () => system.call('GET', `/orgs/${orgId}${path}`, { key });

describe('statements of a request, in every service it uses', () => {
  test('a list of fifty prompts', async () => {
    expect(await countStatementsPerRequest(get('/prompts?limit=50'))).toEqual({
      ...access,
      ...once('list_prompts'),
    });
  });

  test('a page of a thousand mentions', async () => {
    expect(await countStatementsPerRequest(get(`/brands/${brandId}/mentions?limit=1000`))).toEqual({
      ...access,
      'results: results.find_brand': 1,
      'results: results.find_brand_token': 1,
      'results: results.list_mentions_first': 1,
    });
  });

  test("a page of brands' summaries", async () => {
    expect(await countStatementsPerRequest(get('/brands/summary'))).toEqual({
      ...access,
      // For brands that were created a moment ago.
      'catalog: catalog.list_newest_own_brand_ids': 1,
      'results: results.list_brands_by_ids': 1,
      'results: results.list_brand_figures': 1,
      'results: results.list_brand_summaries': 1,
    });
  });

  const update = (number: number, headers: Record<string, string> = {}) =>
    system.call('PATCH', `/orgs/${orgId}/prompts/${promptId}`, {
      key,
      headers,
      body: { tags: [`tag ${number}`] },
    });
  const updated = {
    ...access,
    ...once('find_prompt', 'lock_org', 'lock_brand', 'try_prompt_lock', 'lock_prompt'),
    ...once('get_prompt_usage', 'update_prompts'),
    ...events(1),
  };

  test('an update of a prompt', async () => {
    expect(await countStatementsPerRequest(update)).toEqual(updated);
  });

  test('an update of a prompt with an idempotency key, and a replay of it', async () => {
    const keyed = (number: number) => update(number, { 'idempotency-key': `update-${number}` });
    expect(await countStatementsPerRequest(keyed)).toEqual({
      ...updated,
      'gateway: gateway.insert_idempotency_record': 1,
      'gateway: gateway.update_idempotency_response': 1,
      // The record of the service, which survives a crash of the gateway.
      'catalog: http.reserve_operation': 1,
      'catalog: http.upsert_processed_operation': 1,
    });
    expect(await countStatementsPerRequest(keyed)).toEqual({
      ...access,
      'gateway: gateway.insert_idempotency_record': 1,
      'gateway: gateway.find_idempotency_record': 1,
    });
  });

  test('a sync of fifty prompts that changes one', async () => {
    const sync = (number: number) =>
      system.call('PUT', `/orgs/${orgId}/brands/${brandId}/prompts`, {
        key,
        body: {
          prompts: texts.map((text, index) => ({
            text,
            countries: ['US'],
            tags: index === 0 ? [`${number}`] : [],
          })),
        },
      });
    expect(await countStatementsPerRequest(sync)).toEqual({
      ...access,
      ...once('find_brand', 'find_org', 'upsert_operation_progress'),
      ...once('list_missing_prompts', 'lock_org', 'lock_brand', 'try_prompt_lock'),
      ...once('get_prompt_usage', 'update_prompts', 'delete_operation_progress'),
      // Before and after the lock of the brand.
      ...twice('list_prompts_by_text'),
      ...events(1),
      // The outcome of each row, and the end of the call. A repeated call continues from there.
      ...twice('list_operation_steps', 'insert_operation_steps'),
    });
  });

  test('a property with a competitor', async () => {
    expect(await countStatementsPerRequest((number) => create('shop', number))).toEqual({
      ...access,
      ...once('count_competitors', 'count_own_brands', 'delete_operation_progress', 'find_brand'),
      ...once('find_brand_change', 'find_competitor_by_domain', 'find_link', 'find_own_brand_by_domain'),
      ...once('insert_link', 'insert_operation_steps', 'insert_own_brand'),
      ...once('list_operation_steps', 'lock_brand', 'update_brand_version'),
      ...once('update_operation_progress_brand', 'upsert_operation_progress'),
      // The new brand, and the brand with its competitor.
      ...events(2),
      // For the caps of the plan, and for warnings of common words.
      ...twice('get_prompt_usage'),
      // For the event of the link, and for the response.
      ...twice('lock_org', 'list_competitors'),
    });
  });
});
