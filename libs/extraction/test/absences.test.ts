import { describe, expect, test } from '@jest/globals';
import { absenceLanguages } from '../src/absence/absences.ts';
import { scoreAbsences } from './score-absences.ts';

const minSentences = 4;
const scores = scoreAbsences();

test('every language has absence statements and sentences that say something of a brand', () => {
  expect(scores.map(({ language }) => language)).toEqual(absenceLanguages);
  for (const { absent, named } of scores) {
    expect(absent).toBeGreaterThanOrEqual(minSentences);
    expect(named).toBeGreaterThanOrEqual(minSentences);
  }
});

describe('only names in a statement that nothing is known of them are removed', () => {
  test.each(scores)('$language', ({ errors }) => {
    expect(errors).toEqual([]);
  });
});
