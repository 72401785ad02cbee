import { expect, test } from '@jest/globals';
import { type AnswerSet, namePrecision, nameRecall, readAnswers, scoreNames } from './score-names.ts';

/** The targets are 0.85 and 0.85 for names of two answers, 0.75 and 0.70 for single ones. */
test.each<[AnswerSet, Record<string, number>]>([
  ['tuned', { frequentRecall: 0.88, frequentPrecision: 0.95, singleRecall: 0.85, singlePrecision: 0.85 }],
  ['held-out', { frequentRecall: 0.87, frequentPrecision: 0.95, singleRecall: 0.85, singlePrecision: 0.7 }],
  ['written', { frequentRecall: 0, frequentPrecision: 0, singleRecall: 0.93, singlePrecision: 0.93 }],
])('names of the %s answers are found', (set, least) => {
  const { frequent, single } = scoreNames(readAnswers(set));
  const figures = {
    frequentRecall: nameRecall(frequent),
    frequentPrecision: namePrecision(frequent),
    singleRecall: nameRecall(single),
    singlePrecision: namePrecision(single),
  };
  for (const [figure, value] of Object.entries(figures))
    expect(value).toBeGreaterThanOrEqual(least[figure] ?? 0);
});
