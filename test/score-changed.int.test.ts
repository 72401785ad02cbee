import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { webhookEvents } from '@bv/contract';
import { type ComparedWindow, compareCells } from '@bv/statistics';
import { eventually, type Receiver, startReceiver } from '@bv/testkit';
import { brandData, jobData, promptData, unitData } from '../services/results/test/events.ts';
import { addToCatalog, type Results, startResults } from '../services/results/test/results.ts';
import { createRandom, toDay } from '../services/results/test/unit-history.ts';
import { activeEndpoint, subscribe } from '../services/webhooks/test/harness.ts';
import { startWebhooks, type Webhooks } from '../services/webhooks/test/start-webhooks.ts';

const days = 60;
const windowDays = 7;
/** How likely each prompt's answer mentions a brand: the answers to one prompt are alike. */
const propensities = [0.01, 0.01, 0.02, 0.02, 0.03, 0.05, 0.1, 0.95, 0.97, 0.99];
/**
 * Brands without a change and without an event. Chosen: of seeds 1 to 64, the other 44 have one, because chance alone
 * gives a verdict in up to 5 % of comparisons.
 */
const quietSeeds = [2, 6, 7, 9, 16, 18, 19, 21, 23, 28, 30, 31, 45, 47, 49, 53, 55, 56, 62, 64];
/** From this day on, each prompt mentions the changed brand at least this often. */
const changed = { seed: 8, firstDay: 31, propensity: 0.4 };

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

/** The position of the brand in each prompt's answer of each day, null without a mention. */
type History = (number | null)[][];

function createHistory({ seed, firstDay = Infinity, propensity = 0 }: Partial<typeof changed>): History {
  const random = createRandom(seed ?? 0);
  return Array.from({ length: days }, (_, day) =>
    propensities.map((usual) => {
      const isMentioned = random() < (day + 1 < firstDay ? usual : Math.max(usual, propensity));
      const position = 1 + Math.floor(5 * random());
      return isMentioned ? position : null;
    }),
  );
}

/** The answers of the days before `end`, at most those of a window. */
function toWindow(history: History, end: number): ComparedWindow {
  const answers = history.slice(Math.max(0, end - windowDays), Math.max(0, end)).flatMap((positions) =>
    positions.map((position, prompt) => ({
      promptId: String(prompt),
      country: 'US',
      platform: 'chatgpt',
      models: [],
      units: 1,
      mentioned: position === null ? 0 : 1,
      unitScoreSum: position === null ? 0 : 100 / (1 + 0.1 * (position - 1)),
      positionSum: position ?? 0,
      cited: 0,
      sentimentSum: 0,
      sentimentCount: 0,
    })),
  );
  return { cells: answers, methodVersions: [], isPartial: false };
}

/** Days with an event, by the formulas alone. */
function listExpectedDays(history: History): number[] {
  const sent: number[] = [];
  for (let day = 0; day < days; day += 1) {
    const { verdict } = compareCells(
      toWindow(history, day + 1 - windowDays),
      toWindow(history, day + 1),
      'score',
    );
    const isRepeated = day - (sent.at(-1) ?? -Infinity) < windowDays;
    if ((verdict === 'up' || verdict === 'down') && !isRepeated) sent.push(day);
  }
  return sent;
}

const runDate = (day: number): string => toDay('2026-09-01', day);

/** A brand whose answers of all days are published. `endScan` publishes the end of a day's scan. */
async function simulateBrand(orgId: string, history: History) {
  const own = brandData({ org_id: orgId });
  const prompts = propensities.map(() => promptData(own));
  await addToCatalog(results, { brands: [own], prompts });
  const jobIds = history.map(() => randomUUID());
  const units = history.flatMap((positions, day) =>
    positions.map((position, prompt) =>
      unitData(prompts[prompt]!, [{ ...own, position }], {
        job_id: jobIds[day]!,
        run_date: runDate(day),
      }),
    ),
  );
  await Promise.all(units.map((unit) => results.emitUnit(unit)));
  const answered = propensities.length;
  const counts = { total: answered, answered, no_answer: 0, failed: 0 };
  return {
    own,
    history,
    endScan: (day: number) =>
      results.emitJob(jobData(own, jobIds[day]!, { run_date: runDate(day), units: counts })),
  };
}

const waitForRows = (count: number, text: string, values: unknown[] = []): Promise<void> =>
  eventually(
    async () => expect(await results.query(`select count(*)::int from ${text}`, values)).toEqual([{ count }]),
    { intervalMs: 20, timeoutMs: 60_000 },
  );

test('60 days of 20 brands without a change and one with: a partner receives one score.changed', async () => {
  const { partnerId, orgId } = await webhooks.newPartner();
  const endpoint = await activeEndpoint(webhooks, receiver.url, { partnerId, orgId });
  await subscribe(webhooks, endpoint, { event_type: 'score.changed' });
  const brands = [];
  for (const simulated of [...quietSeeds.map((seed) => ({ seed })), changed]) {
    brands.push(await simulateBrand(orgId, createHistory(simulated)));
  }
  await waitForRows(brands.length * days * propensities.length, 'units');
  for (let day = 0; day < days; day += 1) {
    await Promise.all(brands.map(({ endScan }) => endScan(day)));
    await waitForRows(brands.length, 'evaluated_days where run_date = $1', [runDate(day)]);
  }

  // The endpoint also receives scan.completed of each scan.
  const ofType = (type: string) => receiver.requests.filter(({ body }) => body.includes(`"type":"${type}"`));
  await eventually(async () => expect(ofType('scan.completed')).toHaveLength(days * brands.length), {
    timeoutMs: 60_000,
  });
  const found = ofType('score.changed').map(
    ({ body }) => webhookEvents['score.changed'].parse(JSON.parse(body)).data,
  );
  const expected = brands.flatMap(({ own, history }) =>
    listExpectedDays(history).map((day) => `${own.id} ${runDate(day)}`),
  );
  expect(found.map(({ brand, b }) => `${brand.id} ${b.to}`)).toEqual(expected);
  expect(found).toEqual([expect.objectContaining({ metric: 'score', country: null, verdict: 'up' })]);
  expect(found[0]!.brand.id).toBe(brands.at(-1)!.own.id);
  expect(found[0]!.b.to >= runDate(changed.firstDay - 1)).toBe(true);
}, 300_000);
