import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  agreementOf,
  type LabelledPassage,
  rateByLexicon,
  scoreTones,
  toReport,
} from '@bv/extraction/labels';
import { hasRecordedBodies, readAnswer } from './recorded-bodies.ts';

/** The tone towards each mentioned brand of each recorded answer, as a reader labelled it. */
const labels = JSON.parse(readFileSync(new URL('recorded-tones.json', import.meta.url), 'utf8')) as Record<
  string,
  LabelledPassage['brands']
>;

if (hasRecordedBodies) {
  test('the lexicon reads the tone of 85 % of the mentions in real answers, and reverses none', () => {
    const passages = Object.entries(labels).map(([name, brands]) => {
      return { language: 'en', kind: 'recorded', text: readAnswer(name).answerText ?? '', brands };
    });
    const score = scoreTones(passages, rateByLexicon(passages));
    process.stdout.write(`${toReport('Lexicon, recorded answers', score).join('\n')}\n`);
    expect(score.misses.filter((miss) => miss.includes('rated none'))).toEqual([]);
    expect(agreementOf(score.all).right).toBeGreaterThanOrEqual(0.85);
    expect(agreementOf(score.all).reversed).toBe(0);
  });
} else {
  test('recorded real answers are not available', () => {
    expect(hasRecordedBodies).toBe(false);
  });
}
