import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listMentions, listPromptResults, listScores } from '@bv/contract';
import type { RpcServer } from '@bv/events';
import { eventually } from '@bv/testkit';
import { addTrackedBrands, storeUnits, type Tracked, unreadUnit } from './reprocess.ts';
import { type Results, startResults, toBrandParams, toPromptParams } from './results.ts';
import { serveOrgs } from './retention.ts';
import { toDay } from './unit-history.ts';
import { startWorkerProcess } from './worker-process.ts';

/** Processes end the retention by their own clock. */
const now = () => new Date();
const today = now().toISOString().slice(0, 10);
const [kept, withoutText, expired] = [toDay(today, -1), toDay(today, -9), toDay(today, -12)];
const settings = { NODE_ENV: 'test', RESULTS_UNIT_DAYS: '10', RESULTS_ANSWER_TEXT_DAYS: '8' };

let results: Results;
let orgs: RpcServer;
let tracked: Tracked;
beforeAll(async () => {
  results = await startResults({ now });
  orgs = await serveOrgs(results);
});
afterAll(async () => {
  await orgs.stop();
  await results.stop();
});
beforeEach(async () => {
  tracked = await addTrackedBrands(results);
  const units = [kept, withoutText, expired].flatMap((run_date) =>
    // More than the first batch has.
    Array.from({ length: run_date === kept ? 1 : 150 }, (_, index) =>
      unreadUnit(tracked, { run_date, country: `C${index}` }),
    ),
  );
  await storeUnits(results, tracked, units);
});

/** What is stored: days with units and the number of texts. */
const readStored = () =>
  results.query<{ day: string; units: number; texts: number }>(
    `select run_date::text as day, count(*)::int as units, count(answer_text)::int as texts
     from units where brand_id = $1 group by run_date order by run_date`,
    [tracked.own.id],
  );
async function isDone(): Promise<boolean> {
  const [row] = await results.query<{ done: boolean | null }>(
    'select texts_removed_before = texts_from as done from brand_tokens where brand_id = $1',
    [tracked.own.id],
  );
  return row?.done ?? false;
}
/** What clients see of the 31 days up to today. */
async function readSeen() {
  const params = toBrandParams(tracked.own);
  const query = 'limit=200';
  const answers = await results.call(listPromptResults, { params: toPromptParams(tracked.prompt), query });
  return {
    scores: (await results.call(listScores, { params })).data,
    mentions: (await results.call(listMentions, { params, query: 'limit=1000' })).data,
    texts: answers.data.filter(({ answer_text }) => answer_text !== null),
  };
}

test.each([
  ['retention.days_hidden', { deletes: false }],
  ['retention.batch_committed', { deletes: true }],
])(
  'a process is killed at %s: readers see no expired day, and another process removes the rest',
  async (failpoint, { deletes }) => {
    const { scores } = await readSeen();
    expect(scores).toHaveLength(3);
    const crashing = startWorkerProcess(results, { ...settings, CRASH_AT: failpoint });
    await crashing.ended;
    const [{ units: left } = { units: 0 }, ...others] = await readStored();
    // A slow machine deletes less in a batch.
    expect(left > 0 && left < 150).toBe(deletes);
    expect(others).toEqual([
      { day: withoutText, units: 150, texts: 150 },
      { day: kept, units: 1, texts: 1 },
    ]);
    const seen = await readSeen();
    expect(seen.mentions).toHaveLength(151);
    expect(seen.mentions.filter(({ run_date }) => run_date < withoutText)).toEqual([]);
    expect(seen.texts).toMatchObject([{ run_date: kept }]);

    const survivor = startWorkerProcess(results, settings);
    // The process of the next test would begin with what this one leaves.
    await eventually(async () => expect(await isDone()).toBe(true));
    await survivor.end();
    expect(await readStored()).toEqual([
      { day: withoutText, units: 150, texts: 0 },
      { day: kept, units: 1, texts: 1 },
    ]);
    expect((await readSeen()).scores).toEqual(scores);
  },
  120_000,
);
