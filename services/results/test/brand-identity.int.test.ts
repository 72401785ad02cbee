import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RpcUnavailable } from '@bv/events';
import { createPool, type Pool } from '@bv/postgres';
import { createMetrics } from '@bv/telemetry';
import { findTrackedBrands } from '../src/db/tracked-brands.ts';
import { requestTrackedBrands } from '../src/commands/request-brands.ts';
import { type Brand, brandData, promptData, unitData } from './events.ts';
import {
  addBrandWithCompetitor,
  addToCatalog,
  readTokenVersion,
  type Results,
  startResults,
  waitForUnits,
  waitUntilHandled,
} from './results.ts';

let results: Results;
let pool: Pool;
beforeAll(async () => {
  results = await startResults();
  const { database, log } = results;
  pool = createPool({
    connectionString: database.url,
    applicationName: 'test',
    log,
    metrics: createMetrics('test'),
  });
});
afterAll(async () => {
  await pool.end();
  await results.stop();
});

const requestTracked = (own: Brand) => requestTrackedBrands({ pool, nats: results.connection }, own.id);
const match = { case_sensitive: true, exclude: ['target audience'], verify: true };

/** An own brand with results, and its competitor, both with an identity. */
async function seed() {
  const competitor = brandData({ is_own: false, name: 'Rival', domain: 'rival.com', aliases: ['RVL'] });
  const own = brandData({
    org_id: competitor.org_id,
    aliases: ['Acme Corp'],
    match,
    competitors: [{ id: competitor.id, name: 'Rival', domain: 'rival.com' }],
  });
  const prompt = promptData(own);
  await addToCatalog(results, { brands: [own, competitor], prompts: [prompt] });
  await results.emitUnit(unitData(prompt, [{ ...own, position: 1 }]));
  await waitForUnits(results, own, 1);
  const tracked = [own, competitor].map(({ id, name, domain, is_own, aliases, match: rules }) => ({
    id,
    name,
    domain,
    is_own,
    aliases,
    match: rules,
    version: 1,
  }));
  return { own, competitor, tracked };
}

describe('identities of tracked brands', () => {
  test('come from the events of the own brand and of each competitor', async () => {
    const { own, competitor, tracked } = await seed();
    expect(await findTrackedBrands(pool, own.id)).toEqual({ brands: tracked, missing: [] });
    const renamed = { ...competitor, name: 'Rival & Sons', aliases: ['R&S'], match };
    await waitUntilHandled(results, await results.emitBrand(renamed, 2));
    expect((await requestTracked(own))[1]).toMatchObject({ name: 'Rival & Sons', aliases: ['R&S'], match });
  });

  test('that are not projected come from the catalog', async () => {
    const { own, competitor, tracked } = await seed();
    await results.query('delete from brands where id = any($1)', [[own.id, competitor.id]]);
    expect(await findTrackedBrands(pool, own.id)).toEqual({ brands: [], missing: [own.id] });
    await expect(requestTracked(own)).rejects.toThrow(RpcUnavailable);
    const stopCatalog = await results.serveCatalog([own, competitor]);
    expect(await requestTracked(own)).toEqual(tracked);
    await stopCatalog();
    expect(await requestTracked(own)).toEqual(tracked);
  });

  test('leave out a competitor that the catalog no longer has', async () => {
    const { own, tracked } = await seed();
    const unknown = brandData({ is_own: false });
    const link = { id: unknown.id, name: unknown.name, domain: unknown.domain };
    await waitUntilHandled(
      results,
      await results.emitBrand({ ...own, competitors: [link, ...own.competitors] }, 2),
    );
    const stopCatalog = await results.serveCatalog();
    expect(await requestTracked(own)).toEqual(
      tracked.map((brand) => (brand.id === own.id ? { ...brand, version: 2 } : brand)),
    );
    await stopCatalog();
  });
});

test('a renamed competitor moves the change tokens of the brands that track it; new aliases do not', async () => {
  const { own, competitor } = await seed();
  const other = await addBrandWithCompetitor(results);
  await results.emitUnit(unitData(other.prompt, [{ ...other.own, position: 1 }]));
  await waitForUnits(results, other.own, 1);
  const readTokens = () => Promise.all([own, other.own].map((brand) => readTokenVersion(results, brand)));
  const [before = 0, untouched] = await readTokens();
  await waitUntilHandled(results, await results.emitBrand({ ...competitor, aliases: ['RV'], match }, 2));
  expect(await readTokens()).toEqual([before, untouched]);
  await waitUntilHandled(results, await results.emitBrand({ ...competitor, name: 'Rival & Sons' }, 3));
  expect(await readTokens()).toEqual([before + 1, untouched]);
  await waitUntilHandled(results, await results.emitBrand({ ...competitor, name: 'Late' }, 2));
  expect(await readTokens()).toEqual([before + 1, untouched]);
});
