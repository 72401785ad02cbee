import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { compareScores, listBrandSummaries } from '@bv/contract';
import type { EventData, scanScored } from '@bv/events';
import { eventually } from '@bv/testkit';
import { type Brand, brandData, importLine, jobData, promptData, unitData } from './events.ts';
import {
  addToCatalog,
  importUnits,
  readScoredEvents,
  type Results,
  startResults,
  toBrandParams,
  waitUntilHandled,
  waitUntilScored,
} from './results.ts';
import { toDay } from './unit-history.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults({ now: () => new Date('2026-12-31T12:00:00Z') });
  await results.serveCatalog();
});
afterAll(() => results.stop());

type Scored = EventData<typeof scanScored>;
type Scan = { day: number; share: number; countries?: readonly string[] };

const day = (offset: number): string => toDay('2026-11-01', offset);

/** Adds a brand with prompts, and functions that scan it. */
async function seed(promptCount = 6) {
  const own = brandData();
  const prompts = Array.from({ length: promptCount }, () => promptData(own));
  await addToCatalog(results, { brands: [own], prompts });
  /** Publishes a scan in which this share of the prompts mentions the brand. Returns its job and last event. */
  const emitScan = async ({ day: offset, share, countries = ['US'] }: Scan) => {
    const jobId = randomUUID();
    const run_date = day(offset);
    const mentioned = Math.round(share * promptCount);
    for (const country of countries) {
      for (const [index, prompt] of prompts.entries()) {
        const isMentioned = index < mentioned;
        const found = { ...own, position: isMentioned ? 1 + (index % 3) : null, cited: isMentioned };
        await results.emitUnit(unitData(prompt, [found], { job_id: jobId, run_date, country }));
      }
    }
    const answered = promptCount * countries.length;
    const units = { total: answered, answered, no_answer: 0, failed: 0 };
    const job = jobData(own, jobId, { run_date, units, countries: [...countries] });
    return { jobId, job, ended: await results.emitJob(job) };
  };
  const scan = async (options: Scan): Promise<Scored> =>
    waitUntilScored(results, (await emitScan(options)).jobId, { timeoutMs: 60_000 });
  /** A week in which no prompt mentions the brand, then days on which all do. */
  const rise = async (): Promise<void> => {
    for (let offset = 0; offset < 7; offset += 1) await scan({ day: offset, share: 0 });
    for (let offset = 7; offset < 13; offset += 1) await scan({ day: offset, share: 1 });
  };
  return { own, prompts, emitScan, scan, rise };
}

const readVerdict = async (own: Brand) => {
  const { data } = await results.call(listBrandSummaries, { params: { orgId: own.org_id } });
  return data.find(({ id }) => id === own.id)?.change_verdict;
};

const toText = ({
  metric,
  country,
  window_days: days,
  verdict,
}: NonNullable<Scored['comparisons']>[number]) => `${metric} ${country ?? 'all'} ${days} ${verdict}`;

const listConfidences = ({ comparisons = [] }: Scored) =>
  comparisons.map(({ highest_confidence: confidence }) => confidence);

test('the first scored scan of a day has its changes, each as compareScores returns it', async () => {
  const { own, scan, rise } = await seed();
  await rise();
  const { comparisons = [], series } = await scan({ day: 13, share: 1 });
  expect(series.map(({ country, change_verdict: verdict }) => [country, verdict])).toEqual([
    [null, 'up'],
    ['US', 'up'],
  ]);
  expect(comparisons.map(toText)).toEqual([
    'score all 7 up',
    'mention_rate all 7 up',
    'citation_rate all 7 up',
    'score US 7 up',
    'mention_rate US 7 up',
    'citation_rate US 7 up',
  ]);
  for (const {
    window_days: _,
    highest_confidence: _confidence,
    metric,
    country,
    ...comparison
  } of comparisons) {
    const query = new URLSearchParams({
      metric,
      ...(country && { country }),
      from_a: day(0),
      to_a: day(6),
      from_b: day(7),
      to_b: day(13),
    }).toString();
    const { data } = await results.call(compareScores, { params: toBrandParams(own), query });
    expect(data).toEqual({ metric, country, ...comparison });
  }
});

test('a change has the highest confidence that its prompts and windows allow', async () => {
  for (const [promptCount, expected] of [
    [5, 0.99],
    [6, 0.999],
    [8, 0.9999],
  ] as const) {
    const { scan } = await seed(promptCount);
    await scan({ day: 0, share: 0 });
    // All prompts rise. The citation rate of each does so by the same.
    const scored = await scan({ day: 7, share: 1 });
    expect(scored.comparisons).toHaveLength(6);
    expect([...new Set(listConfidences(scored))]).toEqual([expected]);
  }
  for (const [earlierDays, expected] of [
    [3, 0.95],
    [2, 0.9999],
  ] as const) {
    const { scan } = await seed(8);
    for (let offset = 0; offset < earlierDays; offset += 1) await scan({ day: offset, share: 0 });
    const scored = await scan({ day: earlierDays + 6, share: 1 });
    expect([...new Set(listConfidences(scored))]).toEqual([expected]);
  }
});

test('windows of 28 days, a fall, and series that the scan did not measure', async () => {
  const { scan } = await seed();
  for (const offset of [0, 10, 20]) await scan({ day: offset, share: 1, countries: ['DE', 'US'] });
  const { comparisons = [], series } = await scan({ day: 38, share: 0 });
  expect(series.map(({ change_verdict: verdict }) => verdict)).toEqual(['not_comparable', 'not_comparable']);
  const fallen = await scan({ day: 45, share: 0 });
  expect(fallen.series.map(({ change_verdict: verdict }) => verdict)).toEqual(['no_evidence', 'no_evidence']);
  for (const found of [comparisons, fallen.comparisons ?? []]) {
    expect(found.map(toText)).toEqual([
      'score all 28 down',
      'mention_rate all 28 down',
      'citation_rate all 28 down',
      'score US 28 down',
      'mention_rate US 28 down',
      'citation_rate US 28 down',
    ]);
  }
});

test('a day is evaluated once: not at its second scan, and not when events are redelivered', async () => {
  const { own, emitScan, scan, rise } = await seed();
  await rise();
  const first = await emitScan({ day: 13, share: 1 });
  expect((await waitUntilScored(results, first.jobId)).comparisons).not.toHaveLength(0);
  const second = await scan({ day: 13, share: 1 });
  expect(second.comparisons).toBeUndefined();
  expect(second.series[0]?.change_verdict).toBe('up');
  await waitUntilHandled(results, await results.emitJob(first.job), await results.emitJob(first.job, 3));
  const ofDay = (await readScoredEvents(results, { brandId: own.id })).filter(
    ({ run_date: runDate }) => runDate === day(13),
  );
  expect(ofDay.filter(({ comparisons }) => comparisons !== undefined)).toHaveLength(1);
});

test('a late scan of an earlier day is evaluated for its day, once, and leaves the verdict of the newest day', async () => {
  const { own, scan, rise } = await seed();
  expect(await readVerdict(own)).toBeNull();
  await rise();
  for (const offset of [19, 20]) await scan({ day: offset, share: 1 });
  expect(await readVerdict(own)).toBe('no_evidence');
  const late = await scan({ day: 13, share: 1 });
  expect(late.comparisons?.map(toText)).toContain('score all 7 up');
  expect(late.series[0]?.change_verdict).toBe('up');
  expect((await scan({ day: 13, share: 0 })).comparisons).toBeUndefined();
  expect(await readVerdict(own)).toBe('no_evidence');
  await scan({ day: 20, share: 0 });
  expect(await readVerdict(own)).toBe('down');
});

test('the verdict of a brand with fewer than five prompts is not_comparable; an import moves no verdict', async () => {
  const { own, prompts, scan } = await seed(4);
  for (const offset of [0, 7]) await scan({ day: offset, share: offset / 7 });
  expect(await readVerdict(own)).toBe('not_comparable');
  await importUnits(results, [importLine(prompts[0]!, { run_date: day(8) })]);
  expect(await readVerdict(own)).toBe('not_comparable');
  expect(await readScoredEvents(results, { brandId: own.id })).toHaveLength(2);
});

test('two replicas: of the scans of a day that end at once, exactly one has comparisons', async () => {
  const replica = await results.startReplica();
  const brands = await Promise.all(Array.from({ length: 4 }, () => seed(5)));
  await Promise.all(brands.map(({ scan }) => scan({ day: 0, share: 0 })));
  const scans = await Promise.all(
    brands.flatMap(({ emitScan }) => [1, 2, 3].map(() => emitScan({ day: 7, share: 1 }))),
  );
  const events = await Promise.all(scans.map(({ jobId }) => waitUntilScored(results, jobId)));
  const evaluated = events.filter(({ comparisons }) => comparisons !== undefined);
  const brandIds = brands.map(({ own }) => own.id).toSorted();
  expect(evaluated.map(({ brand_id: brandId }) => brandId).toSorted()).toEqual(brandIds);
  await replica.stop();
});

test('the event of a brand with 400 markets and more than 300 changes is bounded and sent', async () => {
  const { prompts, emitScan, scan } = await seed(5);
  const countries = Array.from({ length: 50 }, (_, index) => `C${10 + index}`);
  for (const offset of [0, 28]) await scan({ day: offset, share: 0, countries });
  const markets = Array.from({ length: 400 }, (_, index) =>
    importLine(prompts[0]!, { country: `${'\u{10000}'.repeat(250)}${1000 + index}`, run_date: day(35) }),
  );
  expect((await importUnits(results, markets, 'allow_unknown_markets=true')).data.rejected).toEqual([]);
  const { jobId } = await emitScan({ day: 35, share: 1, countries });
  const scored = await waitUntilScored(results, jobId, { timeoutMs: 60_000 });
  expect([scored.series.length, scored.newest_days?.length]).toEqual([300, 300]);
  // Of 306: all markets and 50 markets, two windows, three metrics.
  expect(scored.comparisons).toHaveLength(300);
  await eventually(async () => {
    const sent =
      'select octet_length(envelope::text) as bytes from outbox where aggregate_id = $1 and sent_at is not null';
    const [row] = await results.query<{ bytes: number }>(sent, [jobId]);
    expect(row?.bytes).toBeLessThan(1_000_000);
  });
}, 120_000);
