import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Brand, brandData, type Prompt, unitData } from './events.ts';
import {
  addTrackedBrands,
  defaultRules,
  readFigures,
  readResults,
  reprocess,
  storeUnits,
  unreadUnit,
} from './reprocess.ts';
import { type Results, startResults, waitUntilHandled } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults({ env: { REPROCESS_SHARE_PERCENT: '100' } });
});
afterAll(() => results.stop());

const text = 'Roadrunner and Apex lead the target audience. Target is a shop.';
const readPositions = async (prompt: Prompt) => {
  const [result] = await readResults(results, prompt);
  return result!.brands.map(({ name, position, mention_count }) => [name, position, mention_count]);
};

test.each<[string, Partial<Brand>, unknown[]]>([
  ['a new name', { name: 'Apex' }, ['Apex', 1, 1]],
  ['a new alias', { aliases: ['Roadrunner', 'Apex'] }, ['Acme', 1, 2]],
  ['a name that is an ordinary word', { name: 'target' }, ['target', 1, 2]],
  [
    'a name as written',
    { name: 'Target', match: { ...defaultRules, case_sensitive: true } },
    ['Target', 1, 1],
  ],
  [
    'an excluded phrase',
    { name: 'target', match: { ...defaultRules, exclude: ['target audience'] } },
    ['target', 1, 1],
  ],
])('%s', async (_name, change, expected) => {
  const tracked = await addTrackedBrands(results);
  const { own, prompt } = tracked;
  await storeUnits(results, tracked, [unreadUnit(tracked, { answer_text: text })]);
  await waitUntilHandled(results, await results.emitBrand({ ...own, ...change }, 2));
  await reprocess(results, own);
  expect((await readPositions(prompt))[0]).toEqual(expected);
});

test('also without its event, if the catalog has it', async () => {
  const tracked = await addTrackedBrands(results);
  const { own, rival, prompt } = tracked;
  await storeUnits(results, tracked, [unreadUnit(tracked, { answer_text: text })]);
  const stop = await results.serveCatalog(
    [
      { ...own, name: 'Apex' },
      { ...rival, aliases: ['Roadrunner'] },
    ],
    2,
  );
  await reprocess(results, own);
  await stop();
  expect(await readPositions(prompt)).toEqual([
    ['Apex', 2, 1],
    ['Rival', 1, 1],
  ]);
});

test('a linked competitor gets rows, an unlinked one loses them', async () => {
  const tracked = await addTrackedBrands(results);
  const { own, rival, prompt } = tracked;
  await storeUnits(results, tracked, [
    unitData(
      prompt,
      [
        { ...own, position: null },
        { ...rival, position: 1 },
      ],
      { answer_text: text },
    ),
  ]);
  const linked = brandData({ is_own: false, org_id: own.org_id, name: 'Apex', domain: 'apex.com' });
  const competitors = [{ id: linked.id, name: linked.name, domain: linked.domain }];
  await waitUntilHandled(
    results,
    await results.emitBrand(linked),
    await results.emitBrand({ ...own, competitors }, 2),
  );
  expect((await reprocess(results, own)).units.changed).toBe(1);
  expect(await readPositions(prompt)).toEqual([
    ['Acme', null, 0],
    ['Apex', 1, 1],
  ]);
  const { shares } = await readFigures(results, tracked);
  expect(shares.map(({ name, share_of_voice }) => [name, share_of_voice])).toEqual([
    ['Apex', 100],
    ['Acme', 0],
  ]);
});
