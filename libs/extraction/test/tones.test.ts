import { expect, test } from '@jest/globals';
import { accuracy, rateByLexicon, readPassages, reversed, scoreTones, toneTargets } from './score-tones.ts';

test.each(['tuned', 'held-out'] as const)('the tone of %s passages reaches its targets', (name) => {
  const passages = readPassages(name);
  expect(passages.flatMap(({ brands }) => Object.keys(brands)).length).toBeGreaterThanOrEqual(150);
  expect(new Set(passages.map(({ language }) => language)).size).toBeGreaterThanOrEqual(10);
  const { all, misses } = scoreTones(passages, rateByLexicon);
  process.stdout.write(`${misses.join('\n')}\n`);
  expect(accuracy(all)).toBeGreaterThanOrEqual(toneTargets.accuracy);
  expect(reversed(all)).toBeLessThanOrEqual(toneTargets.reversed);
});

test('a rater without an opinion misses the targets', () => {
  const { all } = scoreTones(readPassages('held-out'), (_text, brands) => brands.map(() => 50));
  expect(accuracy(all)).toBeLessThan(toneTargets.accuracy);
});
