import { expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { promptChanged } from '@bv/events';
import { addComparedBrand, toBody } from './compared-arms.ts';
import { brandData, jobData, promptData } from './events.ts';
import { useExperiments } from './experiment-calls.ts';
import { addTrackedBrands, reprocess, storeUnits, unreadUnit } from './reprocess.ts';
import { addToCatalog, waitUntilHandled } from './results.ts';

const { service, setToday, maintain, create, read, stop, list, readEvents } = useExperiments();

test('while it runs, its prompts, its brand and its days can change: each answer counts as it was given', async () => {
  const brand = await addComparedBrand(service());
  const { own, promptIds, units } = brand;
  setToday('2026-11-16');
  const { id, result } = (await create(own, toBody(promptIds))).data;
  const ofScore = (await create(own, toBody(promptIds, { metric: 'score' }))).data;
  const importAgain = (day: string) =>
    brand.importUnits(
      units
        .filter(({ runDate }) => runDate === day)
        .map((unit) => ({ ...unit, finalizedAt: `${day}T11:00:00.000000Z` })),
    );

  const inactive = { ...promptData(own), id: promptIds[0]!, active: false };
  await waitUntilHandled(service(), await service().emit(promptChanged, inactive.id, 2, inactive));
  expect((await read(own, id)).result).toEqual(result);

  await importAgain('2026-10-22');
  const imported = (await read(own, id)).result!;
  expect(imported.treated.units_before).toBe(result!.treated.units_before + 6);

  const rival = brandData({ org_id: own.org_id, is_own: false, name: 'd.com', domain: 'd.com' });
  const linked = { ...own, competitors: [...own.competitors, { ...rival, domain: rival.domain! }] };
  await addToCatalog(service(), { brands: [rival] });
  await waitUntilHandled(service(), await service().emitBrand(linked, 2));
  await importAgain('2026-11-16');
  expect((await read(own, id)).result!.reasons).toEqual([]);
  expect((await read(own, ofScore.id)).result!.reasons).toEqual(['competitors_changed']);

  const archived = { ...linked, sunset_at: '2026-11-16T00:00:00.000000Z' };
  await waitUntilHandled(service(), await service().emitBrand(archived, 3));
  setToday('2026-11-21');
  await maintain();
  expect(await readEvents(id)).toHaveLength(1);
  expect(await read(own, id)).toMatchObject({
    status: 'completed',
    result: { verdict: 'up', treated: { prompts: 6, units_before: 84 + 6, units_after: 84 + 6 } },
  });
});

test('a stop while the day ends: it is either stopped or completed, with its event', async () => {
  const { own, promptIds } = await addComparedBrand(service());
  setToday('2026-11-20');
  const midnight = new Date('2026-11-21T00:00:00Z');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { id } = (await create(own, toBody(promptIds))).data;
    const [stopped] = await Promise.all([stop(own, id), maintain(midnight)]);
    expect([
      [200, 'stopped', 0],
      [409, 'completed', 1],
    ]).toContainEqual([stopped.status, (await read(own, id)).status, (await readEvents(id)).length]);
  }
});

test('a reprocess, and a scan that fails after the end, replace the result', async () => {
  const tracked = await addTrackedBrands(service());
  const { own } = tracked;
  const prompts = Array.from({ length: 10 }, () => promptData(own));
  await addToCatalog(service(), { brands: [], prompts });
  const stored = ['2026-11-01', '2026-11-10'].flatMap((run_date) =>
    prompts.map((prompt, index) => {
      const answer_text = run_date > '2026-11-04' === index < 5 ? 'Acme is good.' : 'None is.';
      return unreadUnit({ ...tracked, prompt }, { run_date, answer_text });
    }),
  );
  await storeUnits(service(), tracked, stored);
  const ids = prompts.map(({ id }) => id);
  const arms = { treated: { prompt_ids: ids.slice(0, 5) }, control: { prompt_ids: ids.slice(5) } };
  const { id, result } = (await create(own, toBody([], arms))).data;
  expect(result).toMatchObject({ verdict: 'no_evidence', effect: { value: 0 } });
  await reprocess(service(), own);
  const reprocessed = (await read(own, id)).result;
  expect(reprocessed).toMatchObject({ verdict: 'up', effect: { value: 200 } });
  await maintain();
  expect((await list(own)).data[0]!.result).toEqual(reprocessed);
  const units = { total: 1_000, answered: 0, no_answer: 0, failed: 1_000 };
  const failed = jobData(own, randomUUID(), { status: 'failed', units });
  await waitUntilHandled(service(), await service().emitJob(failed));
  expect((await read(own, id)).result).toMatchObject({
    verdict: 'not_comparable',
    reasons: ['incomplete', 'arms_differ'],
  });
});
