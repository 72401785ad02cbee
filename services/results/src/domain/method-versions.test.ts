import { currentMethodVersion } from '@bv/contract';
import { describe, expect, test } from '@jest/globals';
import {
  type AnswerMethod,
  type DayMethod,
  joinNumbers,
  joinVersions,
  listComparedVersions,
  listDayNumbers,
  toNumbers,
} from './method-versions.ts';

/** `4 -` is a day without a sentiment. */
const toDays = (texts: readonly string[]): DayMethod[] =>
  texts.map((text) => ({ method_version: text.replace(' -', ''), has_sentiment: !text.endsWith(' -') }));

describe('versions that are compared', () => {
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
    // A day of several numbers counts as one of each.
    [['3,4'], ['4'], ['3', '4'], ['4']],
    [['3+llm,4+llm', '3', '4'], ['4'], ['3+llm', '4+llm', '3', '4'], ['4']],
    [['3,4 -', '4+llm'], ['4+llm'], ['3', '4+llm'], ['4+llm']],
  ] as const)('%j against %j counts as %j and %j', (a, b, expectedA, expectedB) => {
    const options = { llmCounts: true };
    expect(listComparedVersions(toDays(a), toDays(b), options)).toEqual(expectedA);
    expect(listComparedVersions(toDays(b), toDays(a), options)).toEqual(expectedB);
  });

  test.each([
    [['4'], ['4+llm'], ['4'], ['4']],
    [['3+llm', '4 -'], ['3,4+llm'], ['3', '4'], ['3', '4']],
    [['3,4'], ['4+llm'], ['3', '4'], ['4']],
  ] as const)('without the LLM judge %j against %j counts as %j and %j', (a, b, expectedA, expectedB) => {
    const options = { llmCounts: false };
    expect(listComparedVersions(toDays(a), toDays(b), options)).toEqual(expectedA);
    expect(listComparedVersions(toDays(b), toDays(a), options)).toEqual(expectedB);
  });
});

describe('versions of a day', () => {
  const earlier: AnswerMethod[] = [
    { country: 'US', method_version: '2' },
    { country: 'DE', method_version: '3' },
  ];

  test.each([
    ['', ['2', '3']],
    ['US', ['2']],
    ['DE', ['3']],
    ['FR', []],
  ])('%j: those of its answers, and the current one', (country, numbers) => {
    const expected = [...numbers, currentMethodVersion];
    expect(listDayNumbers(earlier, country)).toEqual(expected);
  });

  test('are joined in ascending order, each with the mark of the LLM judge', () => {
    expect(joinNumbers(['9', '10'], 0)).toBe('9,10');
    expect(joinNumbers(['9', '10'], 1)).toBe('9+llm,10+llm');
    expect(joinVersions(['10+llm', '9,10', '10'])).toBe('9,10,10+llm');
    expect(toNumbers('9+llm,10,10+llm')).toEqual(['9', '10']);
  });
});
