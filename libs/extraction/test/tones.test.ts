import { describe, expect, test } from '@jest/globals';
import { agreementOf, rateByLexicon, scoreTones, toReport } from '../src/labels/agreement.ts';
import { rateAlways, rateByScript, readPassages, toneTargets } from './score-tones.ts';

const passages = readPassages('tuned');

describe('labelled passages', () => {
  test('the lexicon is right in 95 % and reversed in at most 1 %', () => {
    const score = scoreTones(passages, rateByLexicon(passages));
    process.stdout.write(`${toReport('Lexicon, tuned passages', score).join('\n')}\n`);
    expect(agreementOf(score.all).right).toBeGreaterThanOrEqual(0.95);
    expect(agreementOf(score.all).reversed).toBeLessThanOrEqual(0.01);
    // No kind of trap is omitted.
    for (const confusion of score.byKind.values()) {
      expect(agreementOf(confusion).right).toBeGreaterThanOrEqual(0.9);
    }
  });

  test('the passages of a brand hold the words about it and none about another brand', () => {
    expect(scoreTones(passages, rateByScript(passages)).misses).toEqual([]);
  });

  test('held-out passages, which the word lists were not tuned on, reach the targets', () => {
    const heldOut = readPassages('held-out');
    const { all, byLanguage } = scoreTones(heldOut, rateByLexicon(heldOut));
    expect(byLanguage.size).toBeGreaterThanOrEqual(10);
    expect(agreementOf(all).right).toBeGreaterThanOrEqual(toneTargets.accuracy);
    expect(agreementOf(all).reversed).toBeLessThanOrEqual(toneTargets.reversed);
    const indifferent = scoreTones(heldOut, rateAlways(heldOut, 'neutral'));
    expect(agreementOf(indifferent.all).right).toBeLessThan(toneTargets.accuracy);
  });
});
