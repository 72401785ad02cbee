import { describe, expect, test } from '@jest/globals';
import { extract } from '../extract.ts';
import { fold } from '../text/fold.ts';
import { matcherFor } from './brand-matcher.ts';
import { brandPatterns } from './brand-patterns.ts';
import type { TrackedBrand } from './tracked-brand.ts';

const perBrand = 20;
const length = 200;
/** The first four characters are the number, so that no two names are the same. */
const letters = (from: number, many: number, seed: number, count = length): string =>
  Array.from({ length: count }, (_, at) =>
    String.fromCodePoint(from + (Math.floor(at < 4 ? seed / many ** at : seed * (at + 31)) % many)),
  ).join('');

const writers: [script: string, write: (seed: number) => string, maxPatterns: number][] = [
  ['Latin', (seed) => letters(0x61, 26, seed), 2 * perBrand + 2],
  ['Hangul', (seed) => letters(0xac_00, 2_000, seed), 2 * perBrand + 2],
  ['emoji', (seed) => `x${letters(0x1_f6_00, 64, seed, length / 2)}`, 2 * perBrand + 2],
  ['many forms', (seed) => `${seed} J. P. Dr. Aeoe and Müller's Co-op Plus`, 200 + 2 * perBrand + 2],
];

function brandOf(write: (seed: number) => string, index: number): TrackedBrand {
  const namesFrom = (first: number): string[] =>
    Array.from({ length: perBrand }, (_, at) => write(index * 100 + first + at));
  return {
    id: String(index),
    name: write(index * 100),
    domain: `brand${index}.example`,
    aliases: namesFrom(1),
    isOwn: false,
    match: { caseSensitive: false, exclude: namesFrom(50), verify: false },
  };
}

describe('250 brands with 20 aliases and 20 phrases each', () => {
  const limitMs = 4_000;
  test.each(writers)('in %s have few patterns and are read quickly', (_script, write, maxPatterns) => {
    const brands = Array.from({ length: 250 }, (_, index) => brandOf(write, index));
    for (const language of ['en', 'fi', 'ko'])
      expect(brandPatterns(brandOf(write, 7), 0, language).length).toBeLessThanOrEqual(maxPatterns);
    const text = `${brands[3]?.aliases[4]} and ${brands[5]?.name}`;
    const start = process.cpuUsage();
    const found = matcherFor(brands, 'en')(text, fold(text), 'en');
    const { user, system } = process.cpuUsage(start);
    expect(found[3]).toContainEqual({ start: 0, end: brands[3]?.aliases[4]?.length });
    expect(found[5]?.at(-1)?.end).toBe(text.length);
    expect((user + system) / 1_000).toBeLessThan(limitMs);
  });
});

test.each([
  ['배달의민족서비스이용', '배달의민족 서비스이용', true],
  ['배달의민족서비스이용자모임협회', '배달의민족 서비스이용자모임협회', false],
])('spaces in Korean are free in a name of at most 12 syllables: %s', (name, text, mentioned) => {
  const brand = { id: name, name, domain: 'unrelated.example', aliases: [], isOwn: false };
  expect(extract({ answerText: text, sources: [], brands: [brand] })[0]?.mentioned).toBe(mentioned);
});
