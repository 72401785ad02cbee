import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { publishFigures } from '../bench/published-figures.ts';
import { agreementOf, rateByLexicon, scoreTones } from '../src/labels/agreement.ts';
import { parsePassages, unseenLabels } from '../src/labels/labelled-passages.ts';

const passages = parsePassages(readFileSync(unseenLabels, 'utf8'));
const score = scoreTones(passages, rateByLexicon(passages));

test('there are at least 150 unseen mentions in at least five languages, a third of them negative', () => {
  const { mentions } = agreementOf(score.all);
  expect(mentions).toBeGreaterThanOrEqual(150);
  expect(agreementOf(score.all, ['negative']).mentions / mentions).toBeGreaterThanOrEqual(1 / 3);
  expect(score.byLanguage.size).toBeGreaterThanOrEqual(5);
  expect(score.misses.filter((miss) => miss.includes('rated none'))).toEqual([]);
});

test('the methodology and the guide publish these figures: `pnpm bench extraction --write`', () => {
  const figures = publishFigures(score);
  expect(figures.map(({ current }) => current)).toEqual(figures.map(({ content }) => content));
});
