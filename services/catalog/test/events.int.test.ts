import {
  brandChanged,
  callRpc,
  findBrandRpc,
  orgChanged,
  promptChanged,
  resultsBrandChanged,
} from '@bv/events';
import {
  getBrand,
  linkCompetitor,
  operatorArchiveBrand,
  operatorDeleteOrg,
  operatorRestoreBrand,
  operatorUpdateOrg,
  syncPrompts,
  unlinkCompetitor,
  updateBrand,
  updatePrompt,
} from '@bv/contract';
import { eventually } from '@bv/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBrand, addPrompt, newHost, type Catalog, startCatalog } from './catalog.ts';
import { listPublished } from './published-events.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.stop());

const versions = (envelopes: { version: number }[]): number[] => envelopes.map(({ version }) => version);

describe('published', () => {
  test('an organisation: created, changed, deleted; limits after overrides', async () => {
    const orgId = await catalog.addOrg('growth', { prompts: 7 });
    await catalog.call(operatorUpdateOrg, { params: { orgId }, body: { tier: 'scale' } });
    await catalog.call(operatorDeleteOrg, { params: { orgId } });
    const events = await listPublished(catalog, orgChanged, orgId);
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
    const events = await listPublished(catalog, brandChanged, brand.id);
    expect(versions(events)).toEqual([1, 2, 3, 4, 5]);
    expect(events.map(({ data }) => data.competitors.length)).toEqual([0, 1, 0, 0, 0]);
    const { id, name, domain } = competitor;
    expect(events[1]?.data.competitors).toEqual([{ id, name, domain }]);
    expect(events.map(({ data }) => data.sunset_at !== null)).toEqual([false, false, false, true, false]);
    const [row, ...more] = await listPublished(catalog, brandChanged, competitor.id);
    expect(row).toMatchObject({
      type: brandChanged.type,
      version: 1,
      data: { is_own: false, competitors: [] },
    });
    expect(more).toEqual([]);
  });

  test('a change of identity: own brands and competitors have events of their own', async () => {
    const orgId = await catalog.addOrg();
    const rival = { name: 'Rival', domain: newHost(), aliases: ['R'], match: { verify: true } };
    const brand = await addBrand(catalog, orgId, { competitors: [rival] });
    const competitor = brand.competitors[0]!;
    const change = (brandId: string, body: object) =>
      catalog.call(updateBrand, { params: { orgId, brandId }, body });
    const rules = { case_sensitive: true, exclude: ['x'], verify: false };
    await change(brand.id, { aliases: ['A'], match: rules });
    await change(brand.id, { aliases: ['A'] });
    await change(competitor.id, { name: 'Rival Ltd', match: { exclude: ['rival team'] } });
    await change(competitor.id, { geography: 'refused' });
    const own = await listPublished(catalog, brandChanged, brand.id);
    expect(versions(own)).toEqual([1, 2, 3]);
    expect(own[2]?.data).toMatchObject({ aliases: ['A'], match: rules });
    expect(own[2]?.data.competitors).toEqual([{ id: competitor.id, name: 'Rival', domain: rival.domain }]);
    const events = await listPublished(catalog, brandChanged, competitor.id);
    expect(events.map(({ version, data }) => [version, data.name, data.aliases, data.match])).toEqual([
      [1, 'Rival', ['R'], { case_sensitive: false, exclude: [], verify: true }],
      [2, 'Rival Ltd', ['R'], { case_sensitive: false, exclude: ['rival team'], verify: false }],
    ]);
    const found = await callRpc(catalog.connection, findBrandRpc, { id: competitor.id }, 20_000);
    expect(found).toEqual({ version: 2, data: events[1]?.data });
  });

  test('a prompt: created, changed, deactivated by a sync; no event without a change or after a refusal', async () => {
    const orgId = await catalog.addOrg();
    const brand = await addBrand(catalog, orgId);
    const prompt = await addPrompt(catalog, { orgId, brandId: brand.id });
    for (const body of [{ tags: ['x'] }, { tags: ['x'] }, { tags: ['y'], text: 'no' }]) {
      await catalog.call(updatePrompt, { params: { orgId, promptId: prompt.id }, body });
    }
    await catalog.call(syncPrompts, { params: { orgId, brandId: brand.id }, body: { prompts: [] } });
    const events = await listPublished(catalog, promptChanged, prompt.id);
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
    const { data: linked } = await catalog.call(linkCompetitor, {
      params: { orgId, brandId: brand.id },
      body: { name: 'Globex', domain: newHost() },
    });
    expect(linked.reprocess_advised).toBe(true);
  });
});
