import { randomUUID } from 'node:crypto';
import {
  allowanceChanged,
  brandChanged,
  callRpc,
  type EventDefinition,
  fetchScanPlan,
  findBrandRpc,
  findOrgRpc,
  findPromptRpc,
  newestBrandsRpc,
  orgChanged,
  promptChanged,
  resultsBrandChanged,
  type TypedEnvelope,
} from '@bv/events';
import {
  defaultMarkets,
  getBrand,
  getOrg,
  linkCompetitor,
  operatorArchiveBrand,
  operatorDeleteOrg,
  operatorRestoreBrand,
  operatorUpdateOrg,
  syncPrompts,
  unlinkCompetitor,
  updatePrompt,
} from '@bv/contract';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, addPrompt, type Catalog, newHost, startCatalog } from './catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

/** All published events of an aggregate, oldest first. */
const listPublished = async <E extends EventDefinition>(
  event: E,
  aggregateId: string,
): Promise<TypedEnvelope<E>[]> => {
  const { rows } = await catalog.sql.query(
    'select envelope from outbox where aggregate_id = $1 order by version',
    [aggregateId],
  );
  for (const { envelope } of rows) expect(envelope.type).toBe(event.type);
  return rows.map(({ envelope }) => envelope);
};
const versions = (envelopes: { version: number }[]): number[] => envelopes.map(({ version }) => version);

describe('published', () => {
  test('an organisation: created, changed, deleted; limits after overrides', async () => {
    const orgId = await catalog.addOrg('growth', { prompts: 7 });
    await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { tier: 'scale' } });
    await catalog.call(operatorDeleteOrg, { params: { orgId } });
    const events = await listPublished(orgChanged, orgId);
    expect(versions(events)).toEqual([1, 2, 3]);
    expect(events[1]?.data).toMatchObject({
      id: orgId,
      tier: 'scale',
      api_access: true,
      on_demand_scans: true,
      deleted_at: null,
      limits: { prompts: 7, own_brands: 10, countries: 15, competitors_per_brand: 10, manual_scans: 60 },
    });
    expect(events[2]?.data.deleted_at).toEqual(expect.any(String));
  });

  test('a brand: every link, unlink, archive and restore is a version that carries its competitors', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId, { competitors: [{ name: 'c', domain: newHost() }] });
    const competitor = brand.competitors[0]!;
    await catalog.call(unlinkCompetitor, {
      params: { orgId, brandId: brand.id, competitorId: competitor.id },
    });
    await catalog.call(operatorArchiveBrand, { params: { brandId: brand.id } });
    await catalog.call(operatorRestoreBrand, { params: { brandId: brand.id } });
    const events = await listPublished(brandChanged, brand.id);
    expect(versions(events)).toEqual([1, 2, 3, 4, 5]);
    expect(events.map(({ data }) => data.competitors.length)).toEqual([0, 1, 0, 0, 0]);
    const { id, name, domain } = competitor;
    expect(events[1]?.data.competitors).toEqual([{ id, name, domain, aliases: [] }]);
    expect(events.map(({ data }) => data.sunset_at !== null)).toEqual([false, false, false, true, false]);
    const [row, ...more] = await listPublished(brandChanged, competitor.id);
    expect(row).toMatchObject({
      type: brandChanged.type,
      version: 1,
      data: { is_own: false, competitors: [] },
    });
    expect(more).toEqual([]);
  });

  test('a prompt: created, changed, deactivated by a sync; no event without a change or after a refusal', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId);
    const prompt = await addPrompt(catalog, { orgId, brandId: brand.id });
    for (const body of [{ tags: ['x'] }, { tags: ['x'] }, { tags: ['y'], text: 'no' }]) {
      await catalog.call(updatePrompt, { params: { orgId, promptId: prompt.id }, body });
    }
    await catalog.call(syncPrompts, { params: { orgId, brandId: brand.id }, body: { prompts: [] } });
    const events = await listPublished(promptChanged, prompt.id);
    expect(versions(events)).toEqual([1, 2, 3]);
    expect(events.map(({ data }) => [data.tags.join(), data.active])).toEqual([
      ['', true],
      ['x', true],
      ['x', false],
    ]);
  });

  test('the relay publishes all events', async () => {
    await eventually(async () => {
      const { rows } = await catalog.sql.query('select count(*)::int as n from outbox where sent_at is null');
      expect(rows[0].n).toBe(0);
    });
  });
});

describe('consumed', () => {
  test('the change token of a brand: only a newer version is applied', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId);
    const token = (n: number) => ({
      brand_id: brand.id,
      org_id: orgId,
      changed_at: `2026-11-21T03:00:00.00000${n}Z`,
    });
    await catalog.emit(resultsBrandChanged, brand.id, 2, token(2));
    await eventually(async () => {
      const { data } = await catalog.call(getBrand, { params: { orgId, brandId: brand.id } });
      expect(data.last_scan_changed_at).toBe('2026-11-21T03:00:00.000002Z');
    });
    await catalog.emit(resultsBrandChanged, brand.id, 1, token(1));
    await catalog.emit(resultsBrandChanged, brand.id, 3, token(3));
    await eventually(async () => {
      const { data } = await catalog.call(getBrand, { params: { orgId, brandId: brand.id } });
      expect(data.last_scan_changed_at).toBe('2026-11-21T03:00:00.000003Z');
    });
  });

  test('the allowance of an organisation', async () => {
    const orgId = await catalog.addOrg();
    const allowance = {
      org_id: orgId,
      used: 1,
      limit: null,
      remaining: null,
      resets_at: '2999-01-01T00:00:00Z',
      scan_credits: 3,
    };
    await catalog.emit(allowanceChanged, orgId, 1, allowance);
    await eventually(async () => {
      const { data } = await catalog.call(getOrg, { params: { orgId } });
      expect(data.usage).toMatchObject({
        // The limit is that of the plan, which scans may not know yet.
        manual_scans: { used: 1, limit: 10, remaining: 9 },
        scan_credits: 3,
      });
    });
  });
});

describe('request/reply', () => {
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
      const last = (await listPublished(event, id)).at(-1);
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
    });
    await catalog.sql.query(
      `with rivals as (
         insert into brands (org_id, is_own, name, domain)
         select $1, false, $3, repeat('a', 249 - length(n::text)) || n || '.com' from generate_series(1, 249) n
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
    const published = (await listPublished(brandChanged, brand.id)).at(-1);
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
    const plan = await fetchScanPlan(catalog.connection, { org_id: orgId, brand_id: brand.id });
    expect(plan?.prompts).toHaveLength(201);
    expect(plan?.brand.competitors).toHaveLength(250);
  });
});
