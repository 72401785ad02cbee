import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listMentions, listScores, listShareOfVoice, listSources } from '@bv/contract';
import { importLine, type Prompt } from './events.ts';
import { addBrand, importUnits, type Results, startResults, toBrandParams } from './results.ts';

let results: Results;
beforeAll(async () => {
  results = await startResults();
  await results.serveCatalog();
});
afterAll(() => results.stop());

const toLine = (prompt: Prompt, finalizedAt: string, isMentioned: boolean, url: string) =>
  importLine(prompt, {
    finalized_at: finalizedAt,
    brands: isMentioned ? [{ brand_id: prompt.brand_id, position: 1, sentiment: 90 }] : [],
    sources: [{ url }],
  });

test('sources count every unit of the window; scores and share of voice count the latest unit of a cell and day', async () => {
  const { own, prompt } = await addBrand(results);
  const params = toBrandParams(own);
  const first = toLine(prompt, '2026-11-19T08:00:00.000Z', true, 'https://first.com/a');
  const latest = toLine(prompt, '2026-11-19T10:00:00.000Z', false, 'https://latest.com/a');
  const late = toLine(prompt, '2026-11-19T09:00:00.000Z', true, 'https://first.com/a');
  for (const lines of [[first, latest], [late]]) {
    expect((await importUnits(results, lines)).data).toMatchObject({ imported: lines.length });
  }
  expect((await results.call(listSources, { params })).data).toMatchObject([
    { domain: 'first.com', citations: 2, units_cited: 2, units_answered: 3, citation_rate: 66.67 },
    { domain: 'latest.com', citations: 1, units_cited: 1, units_answered: 3, citation_rate: 33.33 },
  ]);
  expect((await results.call(listScores, { params })).data).toMatchObject([
    { run_date: '2026-11-19', units_total: 1, units_answered: 1, units_mentioned: 0, score: 0 },
  ]);
  expect((await results.call(listShareOfVoice, { params })).data).toMatchObject([
    { is_own: true, mentions: 0, total_mentions: 0, units_answered: 1, share_of_voice: null },
  ]);
  expect((await results.call(listMentions, { params })).data).toHaveLength(3);
});
