import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  brandChanged,
  findBrandRpc,
  findPromptRpc,
  promptChanged,
  type RpcServer,
  serveRpc,
} from '@bv/events';
import { eventually, testCaller } from '@bv/testkit';
import { brandData, type Harness, log, promptData, serveMarkets, startResults } from './harness.ts';

let results: Harness;
let servers: RpcServer[];
const own = brandData();
const prompt = promptData(own);

beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-11-21T12:00:00Z') });
  servers = [findBrandRpc, findPromptRpc].map((rpc) =>
    serveRpc(results.connection, rpc, async () => null, { queue: 'catalog', log }),
  );
  servers.push(serveMarkets(results));
  await results.emit(brandChanged, own.id, 1, own);
  await results.emit(promptChanged, prompt.id, 1, prompt);
  await eventually(async () => {
    expect(await results.query('select 1 from prompts')).toHaveLength(1);
  });
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await results.stop();
});

const unit = (finalizedAt: string, mentioned: boolean, url: string) => ({
  brand_id: own.id,
  prompt_id: prompt.id,
  platform: 'gemini',
  country: 'DE',
  run_date: '2026-11-19',
  finalized_at: finalizedAt,
  outcome: 'answered',
  answer_text: 'Text.',
  brands: mentioned ? [{ brand_id: own.id, position: 1, sentiment: 90 }] : [],
  sources: [{ url }],
});
const importUnits = (...units: object[]) =>
  results.call({
    method: 'POST',
    path: '/operator/v1/results/import',
    caller: testCaller({ orgId: null, owner: { kind: 'operator', id: 'operator' } }),
    body: units.map((each) => JSON.stringify(each)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
const read = async (list: string) =>
  (await results.get(own.org_id, `/orgs/${own.org_id}/brands/${own.id}/${list}`)).body.data;

test('sources count every unit of the window; scores and share of voice count the latest unit of a cell and day', async () => {
  const first = unit('2026-11-19T08:00:00.000Z', true, 'https://first.com/a');
  const latest = unit('2026-11-19T10:00:00.000Z', false, 'https://latest.com/a');
  const late = unit('2026-11-19T09:00:00.000Z', true, 'https://first.com/a');
  for (const units of [[first, latest], [late]]) {
    expect((await importUnits(...units)).status).toBe(201);
  }
  expect(await read('sources')).toMatchObject([
    { domain: 'first.com', citations: 2, units_cited: 2, units_answered: 3, citation_rate: 66.67 },
    { domain: 'latest.com', citations: 1, units_cited: 1, units_answered: 3, citation_rate: 33.33 },
  ]);
  expect(await read('scores')).toMatchObject([
    { run_date: '2026-11-19', units_total: 1, units_answered: 1, units_mentioned: 0, score: 0 },
  ]);
  expect(await read('share-of-voice')).toMatchObject([
    { is_own: true, mentions: 0, total_mentions: 0, units_answered: 1, share_of_voice: null },
  ]);
  expect(await read('mentions')).toHaveLength(3);
});
