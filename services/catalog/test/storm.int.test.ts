import { randomUUID } from 'node:crypto';
import {
  createPrompt,
  createProperty,
  getBrand,
  getOrg,
  linkCompetitor,
  listPrompts,
  type Operation,
  operatorArchiveBrand,
  operatorRestoreBrand,
  operatorUpdateOrg,
  syncPrompts,
  unlinkCompetitor,
  updateBrand,
  updatePrompt,
} from '@bv/contract';
import type { OperationResponse } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addBrand, addPrompt, type Catalog, newHost, startCatalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

/** Sends the `n`th of the parallel requests for one organisation. */
function nthCall(
  orgId: string,
  brands: string[],
  prompts: string[],
  n: number,
): Promise<OperationResponse<Operation>> {
  const { call } = catalog;
  const brand = { orgId, brandId: pick(brands, n) };
  const prompt = { orgId, promptId: pick(prompts, n) };
  const domain = `storm-${n % 7}.com`;
  const text = `Storm ${n % 11}`;
  const calls: (() => Promise<OperationResponse<Operation>>)[] = [
    () => call(createPrompt, { params: brand, body: { text, countries: ['US', 'DE'] } }),
    () => call(updatePrompt, { params: prompt, body: { active: n % 2 === 0 } }),
    () => call(updatePrompt, { params: prompt, body: { tags: [`t${n}`], countries: ['FR'] } }),
    () => {
      const rows = [text, 'Storm kept'].map((each) => ({ text: each, countries: ['GB'] }));
      return call(syncPrompts, { params: brand, body: { prompts: rows } });
    },
    () => call(updateBrand, { params: brand, body: { aliases: [text], external_ref: `ref-${n % 2}` } }),
    async () => {
      const { data } = await call(getBrand, { params: brand });
      const brandId = data.competitors[0]?.id ?? brand.brandId;
      return call(updateBrand, { params: { orgId, brandId }, body: { name: text, match: { verify: true } } });
    },
    () => call(linkCompetitor, { params: brand, body: { name: 'c', domain } }),
    async () => {
      const { data } = await call(getBrand, { params: brand });
      const competitorId = data.competitors[0]?.id ?? randomUUID();
      return call(unlinkCompetitor, { params: { ...brand, competitorId } });
    },
    () => {
      const competitors = [{ name: 'c', domain }];
      return call(createProperty, { params: { orgId }, body: { name: 'b', domain: newHost(), competitors } });
    },
    () => call(n % 3 === 0 ? operatorArchiveBrand : operatorRestoreBrand, { params: brand }),
    () => call(operatorUpdateOrg, { params: { orgId }, body: { overrides: { prompts: 5 + (n % 20) } } }),
    () => call(getOrg, { params: { orgId } }),
  ];
  return pick(calls, Math.floor(n / 3))();
}

/** The service retries them. Each of its sessions has reported its own when it has ended. */
async function countDeadlocks(): Promise<number> {
  await catalog.sql.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = current_database() and application_name = 'catalog'`,
  );
  const { rows } = await catalog.sql.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return rows[0].deadlocks;
}

test('parallel requests of every kind: no deadlock, no gap in versions, the last event is the stored state', async () => {
  const orgId = await catalog.addOrg('enterprise', { prompts: 20 });
  const brands: string[] = [];
  for (let n = 0; n < 3; n += 1) brands.push((await addBrand(catalog, orgId)).id);
  const prompts: string[] = [];
  for (const id of brands) prompts.push((await addPrompt(catalog, { orgId, brandId: id })).id);

  // Three senders per pool connection, so that no request waits three seconds for one on a slow machine.
  const responses: OperationResponse<Operation>[] = [];
  const sender = async (first: number): Promise<void> => {
    for (let n = first; n < 300; n += 30) responses.push(await nthCall(orgId, brands, prompts, n));
  };
  await Promise.all(Array.from({ length: 30 }, (_, first) => sender(first)));
  // On a slow machine a write waits in vain for a connection or for another write.
  const codes = responses.filter(({ status }) => status >= 500).map(({ code }) => code);
  expect(codes).toEqual(codes.map(() => 'api_unavailable'));
  expect(await countDeadlocks()).toBe(0);
  expect(responses.filter(({ status }) => status < 300).length).toBeGreaterThan(100);

  // Archiving an archived brand publishes its current version again.
  const { rows: published } = await catalog.sql.query(
    `select aggregate_id, type, array_agg(distinct version::int order by version::int) as versions,
       (array_agg(envelope order by version desc))[1] -> 'data' as last
     from outbox group by aggregate_id, type`,
  );
  for (const { versions } of published) {
    expect(versions).toEqual(Array.from({ length: versions.length }, (_, index) => index + 1));
  }
  const last = new Map(published.map(({ aggregate_id, last: state }) => [aggregate_id, state]));
  const listed = await catalog.call(listPrompts, { params: { orgId }, query: 'limit=200' });
  expect(listed.data.length).toBeGreaterThan(3);
  for (const prompt of listed.data) expect(last.get(prompt.id)).toEqual({ ...prompt, org_id: orgId });
  const { rows: stored } = await catalog.sql.query('select id from brands where org_id = $1', [orgId]);
  for (const { id } of stored) {
    const { data } = await catalog.call(getBrand, { params: { orgId, brandId: id } });
    const { last_scan_changed_at: _, warnings: __, competitors, ...brand } = data;
    // A renamed competitor has its new name in its own event.
    const linked = competitors.map((each) => ({
      id: each.id,
      name: expect.any(String),
      domain: each.domain,
    }));
    expect(last.get(id)).toEqual({ ...brand, org_id: orgId, competitors: linked });
  }
});

test('pages read during writes miss no older row and repeat none', async () => {
  const orgId = await catalog.addOrg('enterprise');
  const brand = await addBrand(catalog, orgId);
  const sync = (from: number) =>
    catalog.call(syncPrompts, {
      params: { orgId, brandId: brand.id },
      body: {
        prompts: Array.from({ length: 40 }, (_, n) => ({ text: `w${from + n}`, countries: ['US'] })),
        deactivate_missing: false,
      },
    });
  await sync(0);
  let writing = true;
  const writers = [1_000, 2_000, 3_000].map(async (from) => {
    await sync(from);
    writing = false;
  });
  let readings = 0;
  do {
    const collected: string[] = [];
    let query = 'limit=3&country=us';
    for (;;) {
      const { data, pagination } = await catalog.call(listPrompts, { params: { orgId }, query });
      collected.push(...data.map(({ text }) => text));
      if (!pagination.has_more) break;
      query = `limit=3&cursor=${pagination.next_cursor}`;
    }
    expect(new Set(collected).size).toBe(collected.length);
    expect(collected.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, n) => `w${n}`));
    readings += 1;
  } while (writing || readings < 2);
  await Promise.all(writers);
});
