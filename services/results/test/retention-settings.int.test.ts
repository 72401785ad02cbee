import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listMentions } from '@bv/contract';
import { orgChanged, type RpcServer } from '@bv/events';
import { readConfig } from '../src/config.ts';
import { addTrackedBrands, storeUnits, type Tracked, unreadUnit } from './reprocess.ts';
import { type Results, startResults, toBrandParams, waitUntilHandled } from './results.ts';
import { asInstalled, endRetention, orgData, type OrgRetention, serveOrgs } from './retention.ts';

let results: Results;
const orgs = new Map<string, ReturnType<typeof orgData>>();
let catalog: RpcServer;
beforeAll(async () => {
  results = await startResults();
  catalog = await serveOrgs(results, orgs);
});
afterAll(async () => {
  await catalog.stop();
  await results.stop();
});

/** A brand with a unit of 10 days ago, in an organisation with this retention. */
async function addBrand(retention: OrgRetention): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  orgs.set(tracked.own.org_id, orgData(tracked.own.org_id, retention));
  await storeUnits(results, tracked, [unreadUnit(tracked, { run_date: '2026-11-11' })]);
  return tracked;
}

const countUnits = async ({ own }: Tracked): Promise<number> => {
  const query = 'from=2026-11-01&to=2026-11-21';
  return (await results.call(listMentions, { params: toBrandParams(own), query })).data.length;
};

test('an organisation has the retention of the installation, unless it has its own', async () => {
  const [asConfigured, shorter, longer, forEver] = [
    await addBrand(asInstalled),
    await addBrand({ ...asInstalled, unit_days: 9 }),
    await addBrand({ ...asInstalled, unit_days: 10 }),
    await addBrand({ ...asInstalled, unit_days: 0 }),
  ];
  const count = () => Promise.all([asConfigured, shorter, longer, forEver].map(countUnits));
  await endRetention(results, {});
  expect(await count()).toEqual([1, 0, 1, 1]);
  await endRetention(results, { unitDays: 8 });
  expect(await count()).toEqual([0, 0, 1, 1]);
});

test('the current state of the catalog decides, not a projection that is late', async () => {
  const tracked = await addBrand({ ...asInstalled, unit_days: 9 });
  const { org_id: id } = tracked.own;
  await waitUntilHandled(results, await results.emit(orgChanged, id, 0, orgData(id, asInstalled)));
  orgs.set(id, orgData(id, { ...asInstalled, unit_days: 0 }));
  await endRetention(results, { unitDays: 8 });
  expect(await countUnits(tracked)).toBe(1);
});

test('nothing is deleted while the retention of an organisation is unknown', async () => {
  const noReply = await addBrand(asInstalled);
  await endRetention(results, { unitDays: 1_000 });
  await catalog.stop();
  await endRetention(results, { unitDays: 8 });
  expect(await countUnits(noReply)).toBe(1);
  catalog = await serveOrgs(results, orgs);
  await endRetention(results, { unitDays: 8 });
  expect(await countUnits(noReply)).toBe(0);
});

test.each(['1', '6', '-1', '36501', 'x'])('a retention of %s days is refused at the start', (days) => {
  const env = { RESULTS_UNIT_DAYS: days, RESULTS_ANSWER_TEXT_DAYS: days };
  expect(() => readConfig(env)).toThrow(/RESULTS_ANSWER_TEXT_DAYS[^]*RESULTS_UNIT_DAYS/);
});
