import { describe, expect, test } from '@jest/globals';
import { extract } from '../extract.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import { brandPassages } from '../passages/passages.ts';

function brand(name: string, domain = 'unrelated.example', aliases: string[] = []): TrackedBrand {
  return { id: name, name, domain, aliases, isOwn: false };
}

const find = (answerText: string, ...brands: TrackedBrand[]) => extract({ answerText, sources: [], brands });

describe('a name inside a longer name of another tracked brand', () => {
  const acme = brand('Acme', 'acme.com');
  const count = (text: string, ...brands: TrackedBrand[]) =>
    find(text, ...brands).map(({ mentionCount, position }) => [mentionCount, position]);

  test('is no mention, and takes no position, evidence or sentiment', () => {
    const text = 'Acme Cloud is excellent. Globex is slower.';
    const results = find(text, acme, brand('Globex'), brand('Hooli', 'hooli.example', ['Acme Cloud']));
    expect(results[0]).toMatchObject({ mentioned: false, position: null, evidence: [], sentiment: null });
    expect(results.map(({ position }) => position)).toEqual([null, 2, 1]);
    expect(brandPassages(text, [acme, brand('Acme Cloud')]).map((passages) => passages.brand)).toEqual([1]);
  });

  test.each([
    ['counts elsewhere in the answer', 'Acme Cloud costs more than Acme.', ['Acme Cloud'], 1],
    ['of three names the longest counts', 'Acme Cloud Pro', ['Acme Cloud', 'Acme Cloud Pro'], 0],
    ['counts where only a part is shared', 'Acme Cloud', ['The Acme', 'Cloud'], 1],
    ['counts where the names are equal', 'ACME', ['acme'], 1],
    ['an address inside an address', 'see shop.acme.com', ['shop.acme.com'], 0],
    ['a name in the middle', 'Big Acme Cloud', ['Big Acme Cloud'], 0],
  ])('%s: %s', (_rule, text, others, expected) => {
    expect(count(text, acme, ...others.map((name) => brand(name)))[0]?.[0]).toBe(expected);
  });

  test('counts if the longer one does not count itself', () => {
    const cloud = brand('Acme Cloud');
    const lower = { ...cloud, match: { caseSensitive: true, exclude: [], verify: false } };
    const excluded = {
      ...cloud,
      match: { caseSensitive: false, exclude: ['acme cloud cover'], verify: false },
    };
    expect(count('an acme cloud', acme, lower)).toEqual([
      [1, 1],
      [0, null],
    ]);
    expect(count('Acme Cloud cover', acme, excluded)).toEqual([
      [1, 1],
      [0, null],
    ]);
    expect(count('I found nothing about Acme Cloud. Acme is new.', acme, cloud)).toEqual([
      [1, 1],
      [0, null],
    ]);
  });
});
