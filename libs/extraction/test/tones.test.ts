import { describe, expect, test } from '@jest/globals';
import {
  accuracy,
  rateByLexicon,
  rateByScript,
  readPassages,
  reversed,
  scoreTones,
  toReport,
  toneTargets,
} from './score-tones.ts';

const passages = readPassages('tuned');

describe('labelled passages', () => {
  test('the lexicon is right in 95 % and reversed in at most 1 %', () => {
    const score = scoreTones(passages, rateByLexicon);
    process.stdout.write(`${toReport('Lexicon, tuned passages', score).join('\n')}\n`);
    expect(accuracy(score.all)).toBeGreaterThanOrEqual(0.95);
    expect(reversed(score.all)).toBeLessThanOrEqual(0.01);
    // No kind of trap is omitted.
    for (const confusion of score.byKind.values()) expect(accuracy(confusion)).toBeGreaterThanOrEqual(0.9);
  });

  test('the passages of a brand hold the words about it and none about another brand', () => {
    const score = scoreTones(passages, rateByScript);
    expect(score.misses).toEqual([]);
  });

  test('held-out passages, which the word lists were not tuned on, reach the targets', () => {
    const heldOut = readPassages('held-out');
    const { all, byLanguage } = scoreTones(heldOut, rateByLexicon);
    expect(byLanguage.size).toBeGreaterThanOrEqual(10);
    expect(accuracy(all)).toBeGreaterThanOrEqual(toneTargets.accuracy);
    expect(reversed(all)).toBeLessThanOrEqual(toneTargets.reversed);
    const indifferent = scoreTones(heldOut, (_passage, brands) => brands.map(() => 50));
    expect(accuracy(indifferent.all)).toBeLessThan(toneTargets.accuracy);
  });
});
