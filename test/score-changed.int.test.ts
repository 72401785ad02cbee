import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type PlatformId, webhookEvents } from '@bv/contract';
import { type ComparedWindow, compareCells, isChangeAt } from '@bv/statistics';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { brandData, jobData, promptData, unitData } from '../services/results/test/events.ts';
import { addToCatalog, type Results, startResults } from '../services/results/test/results.ts';
import { createRandom, toDay } from '../services/results/test/unit-history.ts';
import { activeEndpoint, subscribe } from '../services/webhooks/test/harness.ts';
import { startWebhooks, type Webhooks } from '../services/webhooks/test/start-webhooks.ts';

const days = 60;

/** How likely the answer to each prompt of a brand mentions it. The answers to one prompt are alike. */
type BrandKind = { propensities: readonly number[]; platforms: readonly PlatformId[]; rise: number };

const unchanged: BrandKind = {
  propensities: [0.01, 0.01, 0.02, 0.02, 0.03, 0.05, 0.1, 0.95, 0.97, 0.99],
  platforms: ['chatgpt'],
  rise: 0,
};
/** The mention rate rises from 30 to 50 %. */
const changed: BrandKind = {
  propensities: Array.from({ length: 30 }, (_, index) => index / 50 + 0.01),
  platforms: ['chatgpt', 'gemini', 'perplexity'],
  rise: 0.2,
};
const firstChangedDay = 31;
/** Every seed is used. */
const seeds = { unchanged: Array.from({ length: 20 }, (_, index) => index + 1), changed: 21 };

let results: Results;
let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  [results, receiver] = await Promise.all([startResults(), startReceiver()]);
  webhooks = await startWebhooks({ NATS_URL: results.nats.url });
});
afterAll(async () => {
  await webhooks.stop();
  await Promise.all([results.stop(), receiver.close()]);
});

type Answer = { prompt: number; platform: PlatformId; position: number | null };
/** The answers of each day. */
type History = Answer[][];

function createHistory({ propensities, platforms, rise }: BrandKind, seed: number): History {
  const random = createRandom(seed);
  return Array.from({ length: days }, (_, day) =>
    propensities.flatMap((usual, prompt) =>
      platforms.map((platform) => {
        const isMentioned = random() < (day + 1 < firstChangedDay ? usual : usual + rise);
        const position = 1 + Math.floor(5 * random());
        return { prompt, platform, position: isMentioned ? position : null };
      }),
    ),
  );
}

/** The answers of the days before `end`, at most those of a window. */
function toWindow(history: History, end: number, windowDays: number): ComparedWindow {
  const answers = history.slice(Math.max(0, end - windowDays), Math.max(0, end)).flat();
  const cells = answers.map(({ prompt, platform, position }) => ({
    promptId: String(prompt),
    country: 'US',
    platform,
    models: [],
    units: 1,
    mentioned: position === null ? 0 : 1,
    unitScoreSum: position === null ? 0 : 100 / (1 + 0.1 * (position - 1)),
    positionSum: position ?? 0,
    cited: 0,
    sentimentSum: 0,
    sentimentCount: 0,
  }));
  return { cells, methodVersions: [], isPartial: false };
}

/** Days with an event, by the formulas alone. */
function listExpectedDays(history: History, windowDays: number): number[] {
  const sent: number[] = [];
  for (let day = 0; day < days; day += 1) {
    if (day - (sent.at(-1) ?? -Infinity) < 2 * windowDays - 1) continue;
    const a = toWindow(history, day + 1 - windowDays, windowDays);
    const b = toWindow(history, day + 1, windowDays);
    if (isChangeAt(compareCells(a, b, 'score'), 0.9999)) sent.push(day);
  }
  return sent;
}

const runDate = (day: number): string => toDay('2026-09-01', day);

/** A brand whose answers of all days are published. `endScan` publishes the end of a day's scan. */
async function simulateBrand(orgId: string, kind: BrandKind, seed: number) {
  const own = brandData({ org_id: orgId });
  const history = createHistory(kind, seed);
  const prompts = kind.propensities.map(() => promptData(own));
  await addToCatalog(results, { brands: [own], prompts });
  const jobIds = history.map(() => randomUUID());
  for (const [day, answers] of history.entries()) {
    const scan = { job_id: jobIds[day]!, run_date: runDate(day) };
    const units = answers.map(({ prompt, platform, position }) =>
      unitData(prompts[prompt]!, [{ ...own, position }], { ...scan, platform }),
    );
    await Promise.all(units.map((unit) => results.emitUnit(unit)));
  }
  const answered = kind.propensities.length * kind.platforms.length;
  const counts = { total: answered, answered, no_answer: 0, failed: 0 };
  const endScan = (day: number) =>
    results.emitJob(
      jobData(own, jobIds[day]!, { run_date: runDate(day), units: counts, platforms: [...kind.platforms] }),
    );
  return { own, history, endScan };
}

const waitForRows = (count: number, text: string, values: unknown[] = []): Promise<void> =>
  eventually(
    async () => expect(await results.query(`select count(*)::int from ${text}`, values)).toEqual([{ count }]),
    { intervalMs: 20, timeoutMs: 60_000 },
  );

test('60 days of 20 brands without a change and one with: an endpoint receives one score.changed', async () => {
  const { partnerId, orgId } = await webhooks.newPartner();
  const urls = { 7: `${receiver.url}/week`, 28: `${receiver.url}/month` };
  const [week, month] = [
    await activeEndpoint(webhooks, urls[7], { partnerId, orgId }),
    await activeEndpoint(webhooks, urls[28], { partnerId, orgId }),
  ];
  await subscribe(webhooks, week, { event_type: 'score.changed' });
  await subscribe(webhooks, month, { event_type: 'score.changed', window_days: 28 });
  const brands = [];
  for (const seed of seeds.unchanged) brands.push(await simulateBrand(orgId, unchanged, seed));
  const planted = await simulateBrand(orgId, changed, seeds.changed);
  brands.push(planted);
  await waitForRows(brands.flatMap(({ history }) => history.flat()).length, 'units');
  for (let day = 0; day < days; day += 1) {
    await Promise.all(brands.map(({ endScan }) => endScan(day)));
    await waitForRows(brands.length, 'evaluated_days where run_date = $1', [runDate(day)]);
  }

  // Each endpoint also receives scan.completed of each scan.
  const ofType = (url: string, type: string) =>
    receiver.requests.filter(
      (request) => url.endsWith(request.path) && request.body.includes(`"type":"${type}"`),
    );
  for (const windowDays of [7, 28] as const) {
    const url = urls[windowDays];
    await eventually(async () => expect(ofType(url, 'scan.completed')).toHaveLength(days * brands.length), {
      timeoutMs: 60_000,
    });
    const found = ofType(url, 'score.changed').map(
      ({ body }) => webhookEvents['score.changed'].parse(JSON.parse(body)).data,
    );
    const expected = brands.flatMap(({ own, history }) =>
      listExpectedDays(history, windowDays).map((day) => `${own.id} ${runDate(day)}`),
    );
    expect(found.map(({ brand, b }) => `${brand.id} ${b.to}`)).toEqual(expected);
    expect(found).toEqual([expect.objectContaining({ metric: 'score', country: null, verdict: 'up' })]);
    expect(found[0]!.brand.id).toBe(planted.own.id);
    expect(found[0]!.b.to >= runDate(firstChangedDay - 1)).toBe(true);
  }
}, 300_000);
