import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { currentMethodVersion, listMentions, listPromptResults, listScores } from '@bv/contract';
import { importLine, jobData, type Unit, unitData } from './events.ts';
import {
  addBrandWithCompetitor,
  importUnits,
  type Results,
  startResults,
  toBrandParams,
  toPromptParams,
  waitForUnits,
  waitUntilScored,
} from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
});
afterAll(() => results.stop());

type Seed = Awaited<ReturnType<typeof addBrandWithCompetitor>>;

/** A unit in which the words found both brands, and the LLM judge denied the own brand. */
function deniedUnit({ own, competitor, prompt }: Seed, overrides: Partial<Unit> = {}): Unit {
  const unit = unitData(
    prompt,
    [
      { ...own, position: null },
      { ...competitor, position: 1, sentiment: 80 },
    ],
    { answer_text: 'The acme of style: Rival. Rival!', mention_method: 'words+llm', ...overrides },
  );
  const [denied, found] = unit.brands;
  return {
    ...unit,
    brands: [
      { ...denied!, evidence: [{ start: 4, end: 8 }], means_brand: false },
      {
        ...found!,
        mention_count: 2,
        evidence: [
          { start: 26, end: 31 },
          { start: 19, end: 24 },
        ],
        means_brand: null,
      },
    ],
  };
}

const readResults = (seed: Seed) =>
  results.call(listPromptResults, { params: toPromptParams(seed.prompt) }).then(({ data }) => data);

test('a result shows the method and sorted evidence, none for a brand that the LLM judge denied', async () => {
  const seed = await addBrandWithCompetitor(results);
  const unit = deniedUnit(seed);
  await results.emitUnit(unit);
  await results.emitJob(jobData(seed.own, unit.job_id));
  await waitUntilScored(results, unit.job_id);
  expect(await readResults(seed)).toMatchObject([
    {
      mention_method: 'words+llm',
      mentioned: false,
      position: null,
      sentiment: null,
      brands: [
        { brand_id: seed.own.id, mentioned: false, mention_count: 0, position: null, evidence: [] },
        {
          brand_id: seed.competitor.id,
          position: 1,
          evidence: [
            { start: 19, end: 24 },
            { start: 26, end: 31 },
          ],
        },
      ],
    },
  ]);
  const params = toBrandParams(seed.own);
  expect((await results.call(listMentions, { params })).data).toMatchObject([{ mentioned: false }]);
  expect((await results.call(listScores, { params })).data).toMatchObject([
    { score: 0, units_mentioned: 0, method_version: currentMethodVersion },
  ]);
  const stored = 'select evidence, means_brand from unit_brands where unit_id = $1 order by ordinal';
  expect(await results.query(stored, [unit.unit_id])).toEqual([
    { evidence: [4, 8], means_brand: false },
    { evidence: [19, 24, 26, 31], means_brand: null },
  ]);
});

test('a result without a recorded method and evidence reads as words without evidence', async () => {
  const seed = await addBrandWithCompetitor(results);
  const stopCatalog = await results.serveCatalog([seed.own, seed.competitor]);
  const brands = [{ brand_id: seed.own.id, position: 1, sentiment: null }];
  expect((await importUnits(results, [importLine(seed.prompt, { brands })])).data).toMatchObject({
    imported: 1,
  });
  await stopCatalog();
  await results.emitUnit(unitData(seed.prompt, [{ ...seed.own, position: 1 }]));
  await waitForUnits(results, seed.own, 2);
  const data = await readResults(seed);
  expect(data.map(({ mention_method }) => mention_method)).toEqual(['words', 'words']);
  expect(data.flatMap(({ brands }) => brands.map(({ evidence }) => evidence))).toEqual([[], [], []]);
});
