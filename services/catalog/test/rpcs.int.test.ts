import { randomUUID } from 'node:crypto';
import {
  brandChanged,
  callRpc,
  fetchScanPlan,
  findBrandRpc,
  findOrgRpc,
  findPromptRpc,
  newestBrandsRpc,
  orgChanged,
  promptChanged,
  scanPlanRpc,
} from '@bv/events';
import {
  defaultMarkets,
  linkCompetitor,
  operatorArchiveBrand,
  operatorDeleteOrg,
  syncPrompts,
} from '@bv/contract';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addBrand, addPrompt, newHost, type Catalog, startCatalog } from './catalog.ts';
import { listPublished } from './published-events.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const timeoutMs = 20_000;

test('find-org, find-brand and find-prompt reply with the last published state, or null', async () => {
  const orgId = await catalog.addOrg();
  const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'c', domain: newHost() }] });
  const prompt = await addPrompt(catalog, { orgId, brandId: brand.id });
  for (const [rpc, event, id] of [
    [findOrgRpc, orgChanged, orgId],
    [findBrandRpc, brandChanged, brand.id],
    [findPromptRpc, promptChanged, prompt.id],
  ] as const) {
    const last = (await listPublished(catalog, event, id)).at(-1);
    expect(await callRpc(catalog.connection, rpc, { id }, timeoutMs)).toEqual({
      version: last?.version,
      data: last?.data,
    });
    expect(await callRpc(catalog.connection, rpc, { id: randomUUID() }, timeoutMs)).toBeNull();
  }
  await catalog.call(operatorDeleteOrg, { params: { orgId } });
  const deleted = await callRpc(catalog.connection, findOrgRpc, { id: orgId }, timeoutMs);
  expect(deleted?.data.deleted_at).toEqual(expect.any(String));
});

test('newest-brands replies with at most fifty own brands that are not archived, newest first', async () => {
  const orgId = await catalog.addOrg('enterprise');
  const [archived, kept] = [await addBrand(catalog, orgId), await addBrand(catalog, orgId)];
  const rival = { name: 'c', domain: newHost() };
  await catalog.call(linkCompetitor, { params: { orgId, brandId: kept.id }, body: rival });
  await catalog.call(operatorArchiveBrand, { params: { brandId: archived.id } });
  const request = (id: string) => callRpc(catalog.connection, newestBrandsRpc, { org_id: id }, timeoutMs);
  expect(await request(orgId)).toEqual([kept.id]);
  const created = await catalog.sql.query<{ id: string }>(
    `insert into brands (org_id, is_own, name, domain, created_at)
     select $1, true, 'n', 'n' || n || '.com', now() + n * interval '1 second' from generate_series(1, 60) n
     returning id`,
    [orgId],
  );
  expect(await request(orgId)).toEqual(
    created.rows
      .map(({ id }) => id)
      .toReversed()
      .slice(0, 50),
  );
  expect(await request(randomUUID())).toEqual([]);
});

test('scan-plan replies with pages of the active prompts, and whether the brand is archived', async () => {
  const orgId = await catalog.addOrg('enterprise');
  const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'c', domain: newHost() }] });
  const prompts = Array.from({ length: 450 }, (_, index) => ({
    text: `p${index}`,
    countries: ['US'],
    active: index >= 30,
  }));
  await catalog.call(syncPrompts, { params: { orgId, brandId: brand.id }, body: { prompts } });
  const ids = { org_id: orgId, brand_id: brand.id };
  const plan = await fetchScanPlan(catalog.connection, ids);
  expect(plan).toMatchObject({
    archived: false,
    org: { id: orgId },
    brand: { id: brand.id, competitors: [{ name: 'c' }] },
  });
  expect(new Set(plan?.prompts.map(({ text }) => text)).size).toBe(420);
  await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } });
  expect((await fetchScanPlan(catalog.connection, ids))?.archived).toBe(true);
  expect(await fetchScanPlan(catalog.connection, { ...ids, org_id: randomUUID() })).toBeNull();
  await catalog.call(operatorDeleteOrg, { params: { orgId } });
  expect(await fetchScanPlan(catalog.connection, ids)).toBeNull();
});

test('a brand with all fields at their maximum: events and pages fit a message', async () => {
  const orgId = await catalog.addOrg('enterprise');
  const maxName = '😀'.repeat(200);
  const brand = await addBrand(catalog, orgId, {
    name: maxName,
    aliases: Array.from({ length: 20 }, (_, index) => `${index + 10}${'😀'.repeat(198)}`),
    match: { exclude: Array.from({ length: 20 }, (_, index) => `${index + 10}${'😀'.repeat(98)}`) },
  });
  await catalog.sql.query(
    `with rivals as (
       insert into brands (org_id, is_own, name, domain, aliases, match_rules)
       select $1, false, $3, repeat('a', 249 - length(n::text)) || n || '.com', own.aliases, own.match_rules
       from generate_series(1, 249) n, brands own where own.id = $2
       returning id
     )
     insert into brand_competitors (org_id, brand_id, competitor_id) select $1, $2, id from rivals`,
    [orgId, brand.id, maxName],
  );
  // JSON needs the most bytes for control characters.
  await catalog.sql.query(
    `insert into prompts (org_id, brand_id, text, text_identity, countries, platforms, source)
     select $1, $2, repeat(chr(1), 500), sha256(n::text::bytea), $3,
       '{perplexity,chatgpt,gemini,claude,ai_overviews}', 'api'
     from generate_series(1, 201) n`,
    [orgId, brand.id, defaultMarkets],
  );
  const body = { name: maxName, domain: newHost() };
  const linked = await catalog.call(linkCompetitor, { params: { orgId, brandId: brand.id }, body });
  expect(linked.status).toBe(201);
  const published = (await listPublished(catalog, brandChanged, brand.id)).at(-1);
  expect(published?.data.competitors).toHaveLength(250);
  expect(Buffer.byteLength(JSON.stringify(published))).toBeGreaterThan(290_000);
  await eventually(async () => {
    const { rows } = await catalog.sql.query(
      'select from outbox where aggregate_id = $1 and sent_at is null',
      [brand.id],
    );
    expect(rows).toHaveLength(0);
  });
  const found = await callRpc(catalog.connection, findBrandRpc, { id: brand.id }, timeoutMs);
  expect(found?.data.competitors).toHaveLength(250);
  const ids = { org_id: orgId, brand_id: brand.id };
  const page = await callRpc(catalog.connection, scanPlanRpc, { ...ids, after: null }, timeoutMs);
  expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1_000_000);
  const plan = await fetchScanPlan(catalog.connection, ids);
  expect(plan?.prompts).toHaveLength(201);
  expect(plan?.brand.competitors).toHaveLength(250);
});
