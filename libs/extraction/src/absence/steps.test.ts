import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { extract } from '../extract.ts';
import { matcherFor } from '../names/brand-matcher.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import { fold } from '../text/fold.ts';
import { maxSteps, withoutAbsences } from './absences.ts';
import { Steps } from './masked-text.ts';
import { absenceWords, cuesOf } from './words.ts';

const acme: TrackedBrand = {
  id: 'acme',
  name: 'Acme',
  domain: 'unrelated.example',
  aliases: [],
  isOwn: false,
};
const longest = 32_768;

function countSteps(text: string, max = Infinity): number {
  const folded = fold(text);
  const steps = new Steps(max);
  withoutAbsences(text, folded, matcherFor([acme], 'en')(text, folded, 'en'), steps);
  return steps.taken;
}

const toLength = (words: string, length: number): string =>
  words.repeat(Math.ceil(length / words.length)).slice(0, length);

const cues = [...absenceWords.values()].flatMap(cuesOf);
const hostile = [
  ['information of nothing', 'no information about Acme, '],
  ['French words', 'sur Acme je ne pas aucune information '],
  ['Chinese', '没有找到关于Acme的没有信息'],
  ['negations', 'Acme no '],
  ['the cues of every language', `${cues.join(' ').replace(/[.;!?。！？]/g, ' ')} Acme `],
] as const;

test.each(hostile)('the steps for a line of %s are proportional to its length', (_, words) => {
  const text = toLength(words, 80_000);
  const short = countSteps(text.slice(0, text.length / 8));
  expect(short).toBeGreaterThan(0);
  // Eight times the length: 64 times the steps if they were quadratic.
  expect(countSteps(text)).toBeLessThan(9 * short);
});

test.each(hostile)('a text of %s ends the search after the maximum of steps', (_, words) => {
  const taken = countSteps(toLength(words, longest), maxSteps);
  expect(taken).toBeGreaterThanOrEqual(maxSteps);
  // A statement that is being compared is compared to its end.
  expect(taken).toBeLessThan(1.02 * maxSteps);
});

test('an answer of 5,000 characters of absence statements is searched to its end', () => {
  const folder = new URL('../../test/absences/', import.meta.url);
  for (const file of readdirSync(folder)) {
    const { sentences } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
      sentences: string[];
    };
    const text = toLength(`${sentences.join('\n').replaceAll(/[[\]]/g, '')}\n`, 5_000);
    expect([file, countSteps(text) < maxSteps]).toEqual([file, true]);
  }
});

describe('when the steps are spent', () => {
  const statement = 'I found no information about Acme.\n';
  const costly = toLength('Acme no ', longest).trim();
  const countMentions = (text: string) =>
    extract({ answerText: text, sources: [], brands: [acme] })[0]?.mentionCount;
  const before = countMentions(costly) ?? 0;

  test('statements before are no mentions', () => {
    expect(before).toBeGreaterThan(0);
    expect(countMentions(`${statement}${costly}`)).toBe(before);
  });

  test('the names of statements behind are mentions', () => {
    expect(countMentions(`${costly}\n${statement}`)).toBe(before + 1);
  });
});
