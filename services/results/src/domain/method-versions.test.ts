import { expect, test } from '@jest/globals';
import { type DayMethod, listComparedVersions } from './method-versions.ts';

/** `4 -` is a day without a sentiment. */
const toDays = (texts: readonly string[]): DayMethod[] =>
  texts.map((text) => ({ method_version: text.replace(' -', ''), has_sentiment: !text.endsWith(' -') }));

test.each([
  [['4'], ['4'], ['4'], ['4']],
  [['4'], ['4+llm'], ['4'], ['4+llm']],
  [['4+llm', '4'], ['4+llm'], ['4+llm', '4'], ['4+llm']],
  // A day without a sentiment counts as the rated days of its window.
  [['4+llm', '4 -'], ['4+llm'], ['4+llm'], ['4+llm']],
  [['4', '4 -'], ['4', '4+llm'], ['4'], ['4', '4+llm']],
  [['4+llm', '4 -'], ['4'], ['4+llm'], ['4']],
  // Without any, as those of the other window.
  [['4 -'], ['4+llm', '4 -'], ['4+llm'], ['4+llm']],
  [['4 -'], ['4', '4+llm'], ['4', '4+llm'], ['4', '4+llm']],
  [['4 -'], ['4 -'], ['4'], ['4']],
  // Another number stays another method.
  [['3 -'], ['4+llm'], ['3'], ['4+llm']],
  [['3 -', '4+llm'], ['4+llm'], ['3', '4+llm'], ['4+llm']],
  [[], ['4+llm'], [], ['4+llm']],
] as const)('%j against %j counts as %j and %j', (a, b, expectedA, expectedB) => {
  expect(listComparedVersions(toDays(a), toDays(b))).toEqual(expectedA);
  expect(listComparedVersions(toDays(b), toDays(a))).toEqual(expectedB);
});
