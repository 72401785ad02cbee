import { expect, test } from '@jest/globals';
import { describeInformative } from './describe-informative.ts';

test.each([
  [29, 25, 86.21, 'Of 29 answers, 4 name no company.'],
  [3, 2, 66.67, 'Of 3 answers, 1 names no company.'],
  [29, 5, 100, 'Of the answers with a stored text, 100 % name a company.'],
  [29, 0, null, ''],
  [29, null, null, ''],
])('%i answers, of which %p at %p %%', (units_answered, units_informative, informative_rate, sentence) => {
  expect(describeInformative({ units_answered, units_informative, informative_rate })).toBe(sentence);
});
