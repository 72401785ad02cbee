/** Discovered names that the LLM judge of scans sorts. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listDiscoveredBrands } from '@bv/contract';
import { judgeNamesRpc, type RpcReply, type RpcRequest, type RpcServer, serveRpc } from '@bv/events';
import { judgeNames } from '../src/commands/judge-names.ts';
import { addOwn, importAnswers, type Own, readCoverage } from './answers-with-names.ts';
import { createServicePool } from './check-windows.ts';
import { brandData, jobData, unitData } from './events.ts';
import { reprocess } from './reprocess.ts';
import { type Results, startResults, toBrandParams, waitUntilHandled } from './results.ts';
import { endRetention, serveOrgs } from './retention.ts';

type Reply = RpcReply<typeof judgeNamesRpc>;

let results: Results;
let scans: RpcServer;
let pool: ReturnType<typeof createServicePool>;
/** Names to sort and sorted ones, of each call. */
let sent: string[][][];
/** Kind and main name of each name; null: the call has no reply. */
let reply: Record<string, [kind: NonNullable<Reply>[number]['kind'], main?: string]> | null;

/** Scans with an LLM judge. */
const sortNames = async ({ names }: RpcRequest<typeof judgeNamesRpc>): Promise<Reply> => {
  const list = (judged: boolean) => names.filter((each) => each.is_judged === judged).map(({ name }) => name);
  sent.push([list(false), list(true)]);
  if (reply === null) return null;
  const keyOf = (sought?: string) => names.find(({ name }) => name === sought)?.key ?? null;
  return Object.entries(reply).flatMap(([name, [kind, main]]) => {
    const key = keyOf(name);
    return key === null ? [] : { key, kind, same_as: keyOf(main) };
  });
};
const serveScans = (): RpcServer =>
  serveRpc(results.connection, judgeNamesRpc, sortNames, { queue: 'scans', log: results.log });

beforeAll(async () => {
  // Today is 2026-11-21.
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
  pool = createServicePool(results);
  scans = serveScans();
  await results.connection.connection.flush();
});
beforeEach(() => {
  sent = [];
  reply = {};
});
afterAll(async () => {
  await scans.stop();
  await pool.end();
  await results.stop();
});

const judge = (day: string) =>
  judgeNames(
    { pool, nats: results.connection, now: () => new Date(`${day}T12:00:00Z`) },
    new AbortController().signal,
  );
const list = async ({ own }: Own) =>
  (await results.call(listDiscoveredBrands, { params: toBrandParams(own), query: 'min_units=1' })).data.map(
    ({ name, kind, units_mentioned, average_position }) => [name, kind, units_mentioned, average_position],
  );

/** Two answers name Globex, one of them with another spelling before it, and a third has only that. */
async function addAnswers(): Promise<Own> {
  const brand = await addOwn(results, 1);
  const [prompt] = brand.prompts;
  await importAnswers(results, brand, [
    { prompt, names: ['Globex Suite', 'Globex', 'Initech'] },
    { prompt, names: ['Globex Suite'], run_date: '2026-11-20' },
    { prompt, names: ['Globex', 'Initech'], run_date: '2026-11-20', country: 'US' },
  ]);
  return brand;
}
const byRules = [
  ['Globex', 'unknown', 2, 1.5],
  ['Globex Suite', 'unknown', 2, 1],
  ['Initech', 'unknown', 2, 2.5],
];
const sorted: typeof reply = {
  Globex: ['brand'],
  'Globex Suite': ['brand', 'Globex'],
  Initech: ['publisher'],
};
const joined = [
  ['Globex Suite', 'brand', 3, 1],
  ['Initech', 'publisher', 2, 2.5],
];

test('are asked for once a day over all processes, and have one row for all spellings', async () => {
  const brand = await addAnswers();
  expect(await list(brand)).toEqual(byRules);
  reply = sorted;
  await Promise.all(['2026-11-21', '2026-11-21', '2026-11-21'].map(judge));
  expect(sent).toEqual([[['Globex', 'Globex Suite', 'Initech'], []]]);
  expect(await list(brand)).toEqual(joined);
  expect(await readCoverage(results, brand, { subject: 'brands' })).toMatchObject({ seen: 2, seen_once: 0 });
  await judge('2026-11-22');
  expect(sent).toHaveLength(1);
});

test('stay as they are after a day without a reply, and are asked for on the next', async () => {
  const brand = await addAnswers();
  reply = null;
  await judge('2026-11-23');
  await judge('2026-11-23');
  // Of a process that began before midnight.
  await judge('2026-11-22');
  expect(sent).toHaveLength(1);
  expect(await list(brand)).toEqual(byRules);
  reply = sorted;
  await judge('2026-11-24');
  expect(await list(brand)).toEqual(joined);
});

test.each(['place', 'LLM judge'])('are asked for on the same day if scans had no %s', async (lacking) => {
  const brand = await addAnswers();
  const { connection, log } = results;
  await scans.stop();
  const busy = { queue: 'scans', log, maxInFlight: 0 };
  const refusing = lacking === 'place' ? serveRpc(connection, judgeNamesRpc, sortNames, busy) : null;
  await connection.connection.flush();
  await judge('2026-11-23');
  await refusing?.stop();
  scans = serveScans();
  await connection.connection.flush();
  reply = sorted;
  // The call of the day before is not made up for.
  await judge('2026-11-22');
  expect(sent).toHaveLength(0);
  await judge('2026-11-23');
  expect(await list(brand)).toEqual(joined);
});

test('are asked for again on the day after a malformed reply, which does not end the run', async () => {
  const brands = [await addAnswers(), await addAnswers()];
  await judge('2026-11-24');
  expect(sent).toHaveLength(2);
  for (const brand of brands) expect(await list(brand)).toEqual(byRules);
  reply = sorted;
  await judge('2026-11-25');
  for (const brand of brands) expect(await list(brand)).toEqual(joined);
});

test('are asked for on the day on which a brand has its first', async () => {
  const brand = await addOwn(results, 1);
  const [prompt] = brand.prompts;
  await importAnswers(results, brand, [{ prompt, names: [brand.own.name] }]);
  reply = sorted;
  await judge('2026-11-25');
  await importAnswers(results, brand, [{ prompt, names: ['Globex'] }]);
  await judge('2026-11-25');
  expect(sent).toEqual([[['Globex'], []]]);
});

test('join a name that was sorted on an earlier day', async () => {
  const brand = await addAnswers();
  reply = sorted;
  await judge('2026-11-25');
  const [prompt] = brand.prompts;
  await importAnswers(results, brand, [{ prompt, names: ['Globex Corp Cloud'], run_date: '2026-11-18' }]);
  reply = { 'Globex Corp Cloud': ['brand', 'Globex Suite'] };
  await judge('2026-11-26');
  expect(sent[1]).toEqual([['Globex Corp Cloud'], ['Globex Suite', 'Initech']]);
  expect(await list(brand)).toEqual([
    ['Globex Suite', 'brand', 4, 1],
    ['Initech', 'publisher', 2, 2.5],
  ]);
});

test('are sent once, also if the reply lacks some, and are joined on days that a process left', async () => {
  const brand = await addAnswers();
  reply = { Initech: ['unknown'] };
  await judge('2026-11-26');
  await judge('2026-11-27');
  expect(sent).toHaveLength(1);
  expect(await list(brand)).toEqual(byRules);
  await results.query(
    `update name_judgements set same_as = (select key from name_days where brand_id = $1 and name = 'Globex' limit 1)
     where brand_id = $1 and key = (select key from name_days where brand_id = $1 and name = 'Globex Suite' limit 1)`,
    [brand.own.id],
  );
  await judge('2026-11-28');
  expect(await list(brand)).toEqual([
    ['Globex Suite', 'unknown', 3, 1],
    ['Initech', 'unknown', 2, 2.5],
  ]);
});

test('are joined on a day with a running scan when the scan is scored', async () => {
  const brand = await addAnswers();
  const [named] = await results.query<{ key: string }>(
    `select key from name_days where brand_id = $1 and name = 'Globex Suite'`,
    [brand.own.id],
  );
  const suite = { name: 'Globex Suite', key: named!.key, start: 0, end: 12, domain: null, rank: 1 };
  const unit = unitData(brand.prompts[0], [{ ...brand.own, position: null }], { others: [suite] });
  await waitUntilHandled(results, await results.emitUnit(unit));
  reply = sorted;
  await judge('2026-11-28');
  expect(await list(brand)).toEqual([
    ['Globex', 'brand', 2, 1],
    ['Initech', 'publisher', 2, 2.5],
    ['Globex Suite', 'brand', 1, 1],
  ]);
  await waitUntilHandled(results, await results.emitJob(jobData(brand.own, unit.job_id)));
  expect(await list(brand)).toEqual([
    ['Globex Suite', 'brand', 4, 1],
    ['Initech', 'publisher', 2, 2.5],
  ]);
});

test('never show a tracked brand by another spelling', async () => {
  const brand = await addOwn(results, 1);
  const [prompt] = brand.prompts;
  await importAnswers(results, brand, [{ prompt, names: ['Globex', 'Glbx', 'Initech'] }]);
  reply = { Globex: ['brand'], Glbx: ['brand', 'Globex'] };
  await judge('2026-11-29');
  const rival = brandData({ org_id: brand.own.org_id, is_own: false, name: 'Globex', domain: 'globex.com' });
  const linked = { ...brand.own, competitors: [{ id: rival.id, name: 'Globex', domain: 'globex.com' }] };
  await waitUntilHandled(results, await results.emitBrand(rival), await results.emitBrand(linked, 2));
  const stopCatalog = await results.serveCatalog([linked, rival], 2);
  await reprocess(results, brand.own);
  await stopCatalog();
  expect((await list(brand)).map(([name]) => name)).toEqual(['Initech']);
});

test('keep their spellings on days without texts', async () => {
  const brand = await addAnswers();
  const orgs = await serveOrgs(results);
  // The texts of 2026-11-19 end.
  await endRetention(results, { answerTextDays: 1 });
  await orgs.stop();
  reply = sorted;
  await judge('2026-11-30');
  expect((await list(brand)).map(([name, kind, units]) => [name, kind, units])).toEqual([
    ['Globex', 'brand', 3],
    ['Initech', 'publisher', 2],
    ['Globex Suite', 'brand', 1],
  ]);
});
