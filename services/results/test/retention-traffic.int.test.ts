import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { listMentions, listPromptResults } from '@bv/contract';
import type { RpcServer } from '@bv/events';
import { retryIfStalled } from '@bv/testkit';
import { importLine, unitData } from './events.ts';
import { addTrackedBrands, importLines, type Tracked } from './reprocess.ts';
import { type Results, startResults, toBrandParams, toPromptParams } from './results.ts';
import { endRetention, serveOrgs } from './retention.ts';
import { toDay } from './unit-history.ts';

const today = '2026-11-21';
const [days, unitsOfDay] = [30, 40];
const [unitDays, answerTextDays] = [14, 7];
const [unitsFrom, textsFrom] = [toDay(today, -unitDays), toDay(today, -answerTextDays)];

let results: Results;
let orgs: RpcServer;
beforeAll(async () => {
  results = await startResults();
  orgs = await serveOrgs(results);
});
afterAll(async () => {
  await orgs.stop();
  await results.stop();
});

/** A brand with 30 days of imported answers. */
async function addBrandWithHistory(): Promise<Tracked> {
  const tracked = await addTrackedBrands(results);
  const lines = Array.from({ length: days * unitsOfDay }, (_, index) =>
    importLine(tracked.prompt, {
      run_date: toDay(today, 1 - days + Math.floor(index / unitsOfDay)),
      answer_text: 'Acme is good.'.repeat(100),
      brands: [{ brand_id: tracked.own.id, position: 1, sentiment: 50 }],
      sources: [{ url: `https://x.org/${index % 7}` }],
    }),
  );
  await importLines(results, tracked, lines);
  return tracked;
}

const window = 'from=2026-10-01&to=2026-11-21&limit=50';

/** All pages of the results of a prompt; undefined if the cursor became stale. */
async function walkResults({ prompt }: Tracked) {
  const params = toPromptParams(prompt);
  let page = await results.call(listPromptResults, { params, query: window });
  const rows = [...page.data];
  while (page.pagination.next_cursor !== null) {
    page = await results.call(listPromptResults, {
      params,
      query: `limit=50&cursor=${page.pagination.next_cursor}`,
    });
    if (page.status !== 200) {
      expect(page.refusal).toMatchObject({ code: 'invalid_cursor', details: { reason: 'stale' } });
      return undefined;
    }
    rows.push(...page.data);
  }
  return rows;
}

async function walkMentions({ own }: Tracked) {
  const params = toBrandParams(own);
  let page = await results.call(listMentions, { params, query: window });
  const rows = [...page.data];
  while (page.pagination.next_cursor !== null) {
    page = await results.call(listMentions, {
      params,
      query: `limit=50&cursor=${page.pagination.next_cursor}`,
    });
    if (page.status !== 200) return undefined;
    rows.push(...page.data);
  }
  return rows;
}

/** Checks complete walks of one brand: no row is lost, and what was hidden once is never shown again. */
function createChecker() {
  const seen = { walks: 0, staleWalks: 0, withoutExpired: 0 };
  let isHidden = false;
  const checkUnits = (rows: readonly { run_date: string }[]): void => {
    const kept = rows.filter(({ run_date }) => run_date >= unitsFrom);
    const expired = rows.length - kept.length;
    // Units of the traffic are of today.
    expect(kept.length).toBeGreaterThanOrEqual((unitDays + 1) * unitsOfDay);
    expect([0, (days - unitDays - 1) * unitsOfDay]).toContain(expired);
    if (isHidden) expect(expired).toBe(0);
    isHidden ||= expired === 0;
    if (expired === 0) seen.withoutExpired += 1;
  };
  const checkTexts = (rows: readonly { run_date: string; answer_text: string | null }[]): void => {
    const texts = (isOld: boolean): number =>
      rows.filter((row) => row.run_date < textsFrom === isOld && row.answer_text !== null).length;
    expect(texts(false)).toBe(rows.filter(({ run_date }) => run_date >= textsFrom).length);
    const old = rows.filter(({ run_date }) => run_date < textsFrom).length;
    expect(texts(true)).toBe(isHidden ? 0 : old);
  };
  return {
    seen,
    check: async (tracked: Tracked): Promise<void> => {
      const answers = await walkResults(tracked);
      const mentions = await walkMentions(tracked);
      if (answers !== undefined) {
        checkUnits(answers);
        checkTexts(answers);
      }
      if (mentions !== undefined) checkUnits(mentions);
      seen.walks += 1;
      if (answers === undefined || mentions === undefined) seen.staleWalks += 1;
    },
  };
}

/** Repeats work until it is stopped. Its first error ends it and is thrown by the stop. */
function repeat(work: () => Promise<void>): () => Promise<void> {
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) await work();
  };
  const ended = run();
  ended.catch(() => undefined);
  return () => {
    isStopped = true;
    return ended;
  };
}

test('readers and writers go on while the retention of days ends: no row is lost, and no hidden row is shown again', async () => {
  const [quiet, busy] = [await addBrandWithHistory(), await addBrandWithHistory()];
  const checkers = [quiet, busy].map((tracked) => ({ tracked, ...createChecker() }));
  let emitted = 0;
  const stops = [
    ...checkers.map(({ tracked, check }) => repeat(() => check(tracked))),
    repeat(async () => {
      const { own, prompt } = busy;
      await results.emitUnit(
        unitData(prompt, [{ ...own, position: 1 }], {
          job_id: randomUUID(),
          run_date: today,
          platform: 'claude',
        }),
      );
      emitted += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }),
  ];
  await endRetention(results, { today, unitDays, answerTextDays });
  await Promise.all(stops.map((stop) => stop()));
  for (const { tracked, check, seen } of checkers) {
    await check(tracked);
    expect(seen.withoutExpired).toBeGreaterThan(0);
  }
  expect(emitted).toBeGreaterThan(0);
  const left = await results.query(
    `select 1 from units where brand_id = any ($1) and (run_date < $2 or (run_date < $3 and answer_text is not null))`,
    [[quiet.own.id, busy.own.id], unitsFrom, textsFrom],
  );
  expect(left).toEqual([]);
}, 240_000);

test('batches shrink until they hold the lock for less than 100 ms, also where each row takes 3 ms', async () => {
  await results.query(
    `create or replace function wait_for_disk() returns trigger language plpgsql as $$
     begin perform pg_sleep(0.003); return coalesce(old, new); end $$`,
  );
  await results.query(
    'create or replace trigger slow_rows before delete on units for each row execute function wait_for_disk()',
  );
  await retryIfStalled(
    async () => {
      const { own } = await addBrandWithHistory();
      const held: number[] = [];
      await endRetention(results, { today, unitDays: 25, held });
      expect(await results.query('select 1 from units where brand_id = $1', [own.id])).toHaveLength(
        26 * unitsOfDay,
      );
      // A batch of 50 units would take 150 ms. The machine may delay single ones.
      expect(held.length).toBeGreaterThan(10);
      expect(held.toSorted((a, b) => a - b)[Math.floor(held.length / 2)]).toBeLessThan(100);
    },
    { stallMs: 10 },
  );
}, 240_000);
