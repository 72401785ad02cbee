import { expect, test } from '@jest/globals';
import type { Experiment } from '@bv/sdk';
import { summarise } from './experiment.ts';

const days = { metric: 'mention_rate', starts_on: '2026-02-01', post: { to: '2026-03-07' } };
const effect = (value: number) => ({ value, low: value - 6, high: value + 6, confidence: 0.95 });
const predicted = 'than the control prompts predict';

test.each([
  ['registered', null, 'It starts on 1 Feb 2026. The verdict comes after 7 Mar 2026.'],
  ['running', { verdict: null, effect: effect(9) }, 'It is running. The verdict comes after 7 Mar 2026.'],
  ['stopped', { verdict: null, effect: effect(9) }, 'It was stopped, so it has no verdict.'],
  ['completed', null, 'It has no verdict, because one of the windows has no answers.'],
  ['completed', { verdict: 'not_comparable', effect: effect(9) }, 'The two arms cannot be compared.'],
  [
    'completed',
    { verdict: 'up', effect: effect(9.04) },
    `The mention rate of the treated prompts is 9 points higher ${predicted}.`,
  ],
  [
    'completed',
    { verdict: 'down', effect: effect(-9) },
    `The mention rate of the treated prompts is 9 points lower ${predicted}.`,
  ],
  [
    'completed',
    { verdict: 'no_evidence', effect: effect(1.5) },
    `The mention rate of the treated prompts is 1.5 points higher ${predicted}, which may be chance.`,
  ],
  [
    'completed',
    { verdict: 'no_evidence', effect: effect(0) },
    'The mention rate of the treated prompts is as the control prompts predict.',
  ],
])('an experiment that is %s with %j is a sentence', (status, result, sentence) => {
  expect(summarise({ ...days, status, result } as unknown as Experiment)).toBe(sentence);
});
