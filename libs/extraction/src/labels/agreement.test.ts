import { expect, test } from '@jest/globals';
import { agreementOf, agreements, scoreTones } from './agreement.ts';
import { type LabelledPassage, parsePassages } from './labelled-passages.ts';

const passage = (language: string, brands: LabelledPassage['brands']): LabelledPassage => ({
  language,
  kind: 'answer',
  text: 'Text.',
  brands,
});
const passages = [
  passage('en', { A: 'positive', B: 'negative', C: 'neutral' }),
  passage('de', { D: 'negative', E: 'positive' }),
];

test('agreement, reversed share and interval by label and language; a missing rating is wrong', () => {
  // 55 and 45 are the first values that are not neutral.
  const score = scoreTones(passages, [[55, 100, 54.9], [45]]);
  expect(agreementOf(score.all)).toMatchObject({ mentions: 5, right: 0.6, reversed: 0.2 });
  expect(score.all.positive).toEqual({ positive: 1, neutral: 0, negative: 0, none: 1 });
  const found = agreements(score).map(({ tone, language, mentions, right }) => [
    tone ?? language,
    mentions,
    right,
  ]);
  expect(found).toEqual([
    [undefined, 5, 0.6],
    ['positive', 2, 0.5],
    ['neutral', 1, 1],
    ['negative', 2, 0.5],
    ['en', 3, 2 / 3],
    ['de', 2, 0.5],
  ]);
  // Newcombe (1998), table I, has no interval of 3 in 5: this one is by R, prop.test(3, 5, correct = FALSE).
  expect(agreementOf(score.all).low).toBeCloseTo(0.2307, 4);
  expect(agreementOf(score.all).high).toBeCloseTo(0.8824, 4);
});

test.each([
  ['{"language": "en"', 'line 3: not JSON'],
  ['{"language": "en", "text": "A is good."}', 'line 3: brands: Invalid input'],
  ['{"language": "en", "text": "A.", "brands": {}}', 'line 3: brands: Expected at least one brand'],
  ['{"language": "en", "text": "A.", "brands": {"A": "good"}}', 'line 3: brands: A: Invalid option'],
])('%s is an error with its line', (line, message) => {
  const valid = '{"language": "en", "text": "A is good.", "brands": {"A": "positive"}, "source": "x"}';
  expect(() => parsePassages(`${valid}\n\n${line}\n`)).toThrow(message);
  expect(parsePassages(`${valid}\n\n`)).toHaveLength(1);
  expect(() => parsePassages('\n')).toThrow('no labelled passage');
});
