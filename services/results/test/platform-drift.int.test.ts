import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compareScores } from '@bv/contract';
import { callRpc, platformDriftRpc } from '@bv/events';
import { eventually } from '@bv/testkit';
import { importLine, jobData, type Unit } from './events.ts';
import { addTrackedBrands, importLines, type Tracked, unreadUnit } from './reprocess.ts';
import { type Results, startResults, toBrandParams, waitUntilScored } from './results.ts';
import { toDay } from './unit-history.ts';

const firstDay = '2026-11-12';
const driftedDay = '2026-11-20';
const unitsPerDay = 32;

let results: Results;
let tracked: Tracked;
/** Before the days of the test, so that none of them is measured while its units arrive. */
let now = new Date('2026-11-01T12:00:00Z');
beforeAll(async () => {
  results = await startResults({ now: () => now });
  tracked = await addTrackedBrands(results);
  // Two brands, so that a platform is all brands together.
  const other = await addTrackedBrands(results);
  const jobIds: string[] = [];
  for (const run_date of Array.from({ length: 9 }, (_, day) => toDay(firstDay, day))) {
    for (const [brands, units] of [[tracked, 24] as const, [other, unitsPerDay - 24] as const]) {
      const job_id = randomUUID();
      jobIds.push(job_id);
      for (let index = 0; index < units; index += 1)
        await results.emitUnit(unreadUnit(brands, { ...toAnswer(run_date, index), job_id }));
      const counts = { total: units, answered: units, no_answer: 0, failed: 0 };
      await results.emitJob(jobData(brands.own, job_id, { run_date, units: counts }));
    }
  }
  for (const jobId of jobIds) await waitUntilScored(results, jobId, { timeoutMs: 60_000 });
  const imported = Array.from({ length: 40 }, () =>
    importLine(tracked.prompt, { run_date: '2026-11-19', platform: 'gemini', answer_text: 'Imported.' }),
  );
  now = new Date('2026-11-21T12:00:00Z');
  await importLines(results, tracked, imported);
}, 240_000);
afterAll(() => results.stop());

/** On the last day ChatGPT hides the cited pages; nothing else changes. */
function toAnswer(run_date: string, index: number): Partial<Unit> {
  const isHidden = run_date === driftedDay;
  const domain = index % 4 === 0 ? 'y.org' : 'x.org';
  const source = { position: 1, url: `https://${domain}/`, domain, title: null, cited: true };
  return {
    run_date,
    answer_text: 'x'.repeat(100 + index),
    sources: isHidden ? [] : [source],
    sources_unresolved: isHidden ? 1 : 0,
  };
}

test('links that are no longer resolved reach the metric of the alert, getMethodology and comparisons', async () => {
  const replica = await results.startReplica();
  const rules = readFileSync(
    new URL('../../../deploy/helm/brand-visibility/files/alerts.yaml', import.meta.url),
    'utf8',
  );
  const [, metric] = /alert: BrandVisibilityPlatformDrift\s+expr: [^\n]*\((\w+)\{/.exec(rules)!;
  await eventually(
    async () => {
      const text = await (await fetch(`${replica.monitoringUrl}/metrics`)).text();
      const firing = [...text.matchAll(/^(\w+)\{([^}]*platform=[^}]*)\} 1$/gm)].filter(
        ([, name]) => name === metric,
      );
      expect(firing.map(([, , labels]) => labels)).toEqual([
        expect.stringContaining('platform="chatgpt",kind="sources"'),
        expect.stringContaining('platform="chatgpt",kind="unresolved_links"'),
      ]);
    },
    { timeoutMs: 90_000 },
  );
  await replica.stop();
  const drifts = await callRpc(results.connection, platformDriftRpc, {});
  expect(drifts).toEqual(
    (['sources', 'unresolved_links'] as const).map((kind) => ({
      platform: 'chatgpt',
      from: driftedDay,
      kind,
    })),
  );
  const { data } = await results.call(compareScores, { params: toBrandParams(tracked.own), query: '' });
  expect(data.reasons).toContain('platform_drift');
  const before = await results.call(compareScores, {
    params: toBrandParams(tracked.own),
    query: 'from_a=2026-11-12&to_a=2026-11-15&from_b=2026-11-16&to_b=2026-11-19',
  });
  expect(before.data.reasons).not.toContain('platform_drift');
}, 120_000);

test('a day is measured once, over the scans of all brands', async () => {
  const [day, ...others] = await results.query(
    "select *, run_date::text from platform_days where run_date = '2026-11-19' order by platform",
  );
  expect(others).toEqual([]);
  expect(day).toEqual({
    run_date: '2026-11-19',
    platform: 'chatgpt',
    units: 32,
    answered: 32,
    sourced: 32,
    unresolved: 0,
    unnamed: 0,
    largest_domain: 24,
    with_text: 32,
    // The median of the lengths, to 2 %.
    text_bytes: 108,
    drift: [],
  });
});
