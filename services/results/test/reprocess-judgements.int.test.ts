import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { judgeAnswerRpc, type RpcServer, serveRpc } from '@bv/events';
import type { Brand } from './events.ts';
import {
  addTrackedBrands,
  checkAgreement,
  defaultRules,
  readResults,
  reprocess,
  storeUnits,
  type Tracked,
  unreadUnit,
} from './reprocess.ts';
import { type Results, startResults, waitUntilHandled } from './results.ts';

type Reply = { sentiment: number; means_brand: boolean } | null;

let results: Results;
let scans: RpcServer;
let reply: Reply;
let requests: { brand_id: string; answer_text: string; brand_ids: string[] }[];

/** Scans with an LLM judge that says the same of every brand. */
const serveScans = (): RpcServer =>
  serveRpc(
    results.connection,
    judgeAnswerRpc,
    async (request) => {
      requests.push(request);
      const judgement = reply;
      if (judgement === null) return null;
      return request.brand_ids.map((brand_id) => ({ brand_id, ...judgement }));
    },
    { queue: 'scans', log: results.log },
  );

beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
  scans = serveScans();
  await results.connection.connection.flush();
});
afterAll(async () => {
  await scans.stop();
  await results.stop();
});
beforeEach(() => {
  requests = [];
  reply = { sentiment: 20, means_brand: true };
});

const verify = { ...defaultRules, verify: true };
const text = 'Acme is good. Rival is bad.';

async function seed(texts: readonly string[] = [text]): Promise<Tracked> {
  const tracked = await addTrackedBrands(results, { own: { match: verify } });
  const countries = ['DE', 'FR', 'US'];
  await storeUnits(
    results,
    tracked,
    // The first text is in the newest unit.
    texts.map((answer_text, index) =>
      unreadUnit(tracked, {
        answer_text,
        country: countries[index]!,
        finalized_at: `2026-11-20T10:00:0${9 - index}Z`,
      }),
    ),
  );
  return tracked;
}

/** The newest result. */
const readResult = async ({ prompt }: Tracked) => {
  const [result] = await readResults(results, prompt);
  const { mentioned, mention_method, sentiment, sentiment_method, brands } = result!;
  return {
    mentioned,
    mention_method,
    sentiment,
    sentiment_method,
    positions: brands.map(({ position }) => position),
  };
};

test('a brand to verify is judged once for each answer that names it, by scans', async () => {
  const tracked = await seed([text, 'Rival alone.', 'Nothing.']);
  const { own, rival } = tracked;
  await reprocess(results, own);
  const versions = [{ brand_id: own.id, version: 1 }];
  expect(requests).toEqual([{ brand_id: own.id, answer_text: text, brand_ids: [own.id], versions }]);
  expect(await readResult(tracked)).toMatchObject({
    mentioned: true,
    mention_method: 'words+llm',
    sentiment: 20,
  });
  await checkAgreement(results, own, [rival]);
  // The judgement is stored, so it is not requested again.
  expect((await reprocess(results, own)).units.changed).toBe(0);
  expect(requests).toHaveLength(1);
});

test('a brand that is denied is not mentioned, and the others move up', async () => {
  const tracked = await seed();
  reply = { sentiment: 20, means_brand: false };
  await reprocess(results, tracked.own);
  expect(await readResult(tracked)).toEqual({
    mentioned: false,
    mention_method: 'words+llm',
    sentiment: null,
    sentiment_method: 'lexicon',
    positions: [null, 1],
  });
  expect((await reprocess(results, tracked.own)).units.changed).toBe(0);
  expect(requests).toHaveLength(1);
  await checkAgreement(results, tracked.own, [tracked.rival]);
});

test('without a judgement words decide; a later job requests it again', async () => {
  const tracked = await seed();
  reply = null;
  await reprocess(results, tracked.own);
  const byWords = {
    mentioned: true,
    mention_method: 'words',
    sentiment_method: 'lexicon',
    positions: [1, 2],
  };
  expect(await readResult(tracked)).toMatchObject(byWords);
  reply = { sentiment: 20, means_brand: true };
  expect((await reprocess(results, tracked.own)).units.changed).toBe(1);
  expect(await readResult(tracked)).toMatchObject({ mention_method: 'words+llm', sentiment: 20 });
});

test('words decide while scans is down', async () => {
  const tracked = await seed();
  await scans.stop();
  await reprocess(results, tracked.own);
  scans = serveScans();
  expect(await readResult(tracked)).toMatchObject({ mentioned: true, mention_method: 'words' });
});

test.each(['busy', 'failed'])('an answer that scans refuses as %s is sent again', async (reason) => {
  const { own, prompt } = await seed([text, 'Acme is fine.']);
  await scans.stop();
  let refused = 0;
  const refusing = results.connection.connection.subscribe(judgeAnswerRpc.subject, {
    queue: 'scans',
    callback: (_error, message) => {
      refused += 1;
      if (refused === 2) {
        refusing.unsubscribe();
        scans = serveScans();
      }
      message.respond(JSON.stringify({ ok: false, reason }));
    },
  });
  await results.connection.connection.flush();
  await reprocess(results, own);
  expect(refused).toBe(2);
  expect(requests).toHaveLength(2);
  const methods = (await readResults(results, prompt)).map(({ mention_method }) => mention_method);
  expect(methods).toEqual(['words+llm', 'words+llm']);
});

test('a judgement holds when another brand changes, and is void when the occurrences change', async () => {
  const tracked = await seed();
  const { own, rival } = tracked;
  await reprocess(results, own);
  const change = async (brand: Brand, version: number): Promise<void> =>
    waitUntilHandled(results, await results.emitBrand(brand, version));
  await change({ ...rival, name: 'Globex', domain: 'globex.com' }, 2);
  expect((await reprocess(results, own)).units.changed).toBe(1);
  expect(requests).toHaveLength(1);
  expect(await readResult(tracked)).toMatchObject({ mention_method: 'words+llm', sentiment: 20 });
  await change({ ...own, aliases: ['Rival'] }, 2);
  await reprocess(results, own);
  expect(requests).toHaveLength(2);
});
