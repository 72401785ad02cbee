import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extract } from '../extract.ts';
import type { TrackedBrand } from './tracked-brand.ts';

type Rules = { caseSensitive?: boolean; exclude?: string[] };

function brand(name: string, rules: Rules, rest: Partial<TrackedBrand> = {}): TrackedBrand {
  const match = { caseSensitive: false, exclude: [], verify: false, ...rules };
  return { id: name, name, domain: 'unrelated.example', aliases: [], isOwn: false, match, ...rest };
}

function count(text: string, tracked: TrackedBrand): number {
  return extract({ answerText: text, sources: [], brands: [tracked] })[0]?.mentionCount ?? 0;
}

describe('a case-sensitive name counts only as written', () => {
  test.each([
    ['Target', 'Target, target, TARGET and taRget', 1],
    ['Target', '**Target** and [Target](https://a.example)', 2],
    ['Target', "Target's shops", 1],
    ['BOSS', 'Boss and BOSS', 1],
    ['Bär', 'bar, Bar, bär and Bär', 1],
    ['Bär', 'Ba\u0308r', 1],
    ['Bär', 'Baer and baer', 1],
    ["McDonald's", 'McDonald’s, mcdonald’s, McDonalds', 2],
    ['Coca-Cola', 'Coca Cola, Coca‑Cola, coca-cola', 2],
    ['Home Depot', 'Home  Depot and home depot', 1],
    ['Ｔarget', 'Target', 1],
    ['Tar\u200Bget', 'Target', 1],
    ['C³ AI', 'C3 AI and c3 ai', 1],
    ['Fresh Start Ltd', 'a fresh start, a Fresh start and Fresh Start', 1],
    ['OpenHands', 'OpenHands, openhands, Open Hands', 2],
  ])('%s in %j: %d', (name, text, expected) => {
    expect(count(text, brand(name, { caseSensitive: true }))).toBe(expected);
  });

  test('aliases too, each as written', () => {
    const tracked = brand('Target', { caseSensitive: true }, { aliases: ['TGT', 'TARGET'] });
    expect(count('Target, TARGET, target, TGT and tgt', tracked)).toBe(3);
  });

  test('the domain counts in any case', () => {
    const tracked = brand('Target', { caseSensitive: true }, { domain: 'target.com' });
    expect(count('target.com, Target.COM and target.de', tracked)).toBe(3);
    const named = brand('Target.com', { caseSensitive: true }, { domain: 'target.com' });
    expect(count('target.com', named)).toBe(1);
  });

  test('in languages with case endings the stem is as written', () => {
    const tracked = brand('Biedronka', { caseSensitive: true });
    const text = 'W Biedronce ceny są niższe. Dzieci przyglądały się biedronce na liściu.';
    expect(count(text, tracked)).toBe(1);
  });
});

describe('an occurrence inside an excluded phrase does not count', () => {
  test.each([
    ['Target', ['target audience'], 'the Target Audience, target’s audience, target', 2],
    ['Target', ['target audience'], 'the target\naudience and the target \r\n audience', 0],
    ['Target', ['target audience'], 'the target\n\naudience, - target\n- audience', 2],
    ['Zoom', ['zoom in', 'zoom out'], 'Zoom in, zoom  out, zoom', 1],
    ['Apple', ['Big Apple'], 'the Big Apple, the big\u00A0apple, the **Big** Apple, Apple', 1],
    ['Apple', ['Big Apple'], 'a big apple-pie, biggish apple, big apples', 1],
    ['Apple', ['Apple Valley'], 'Apple Valleys', 1],
    ['Apple', ['apple'], 'Apple and apple.com', 0],
    ['Monday', ['on monday'], 'on Monday we use Monday', 1],
    ['小米', ['小米粥'], '喝一碗小米粥。', 0],
    ['トヨタ', ['トヨタスタジアム'], '豊田市のトヨタスタジアムで行われます。トヨタのヤリス。', 1],
    ['삼성', ['삼성역'], '삼성역에서', 0],
    ["Levi's", ["Levi's Stadium"], "at Levi’s Stadium, Levi's jeans", 1],
    ['Citroën', ['citroen berlingo'], 'the CITROËN Berlingo', 0],
  ])('%s without %j in %j: %d', (name, exclude, text, expected) => {
    expect(count(text, brand(name, { exclude }))).toBe(expected);
  });

  test('a longer name that reaches out of the phrase counts', () => {
    const tracked = brand('Monday', { exclude: ['on monday'] }, { aliases: ['Monday CRM'] });
    expect(count('We work on Monday CRM.', tracked)).toBe(1);
  });

  test('an occurrence of the domain too', () => {
    const tracked = brand('Acme', { exclude: ['parked at acme.com'] }, { domain: 'acme.com' });
    expect(count('It is parked at acme.com now.', tracked)).toBe(0);
  });

  test('phrases fold also if the name is case-sensitive', () => {
    const tracked = brand('Gap', { caseSensitive: true, exclude: ['gap year'] });
    expect(count('**Gap Year Planning:** close the gap. Gap sells jeans.', tracked)).toBe(1);
  });

  test('of another brand it counts', () => {
    const brands = [brand('Apple', { exclude: ['apple valley'] }), brand('Valley', {})];
    const found = extract({ answerText: 'Apple Valley', sources: [], brands });
    expect(found.map(({ mentionCount }) => mentionCount)).toEqual([0, 1]);
  });
});

test('brands with the same names and other rules have separate results', () => {
  const text = 'a target';
  expect(count(text, brand('Target', {}))).toBe(1);
  expect(count(text, brand('Target', { caseSensitive: true }))).toBe(0);
  expect(count(text, brand('Target', { exclude: ['a target'] }))).toBe(0);
});

test('rules only remove occurrences', () => {
  const word = fc.constantFrom(
    'Acme',
    'acme',
    'ACME',
    'the',
    'Acme Cloud',
    'big',
    '.',
    '\n',
    '**',
    'acme.com',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), fc.boolean(), (words, caseSensitive) => {
      const text = words.join(' ');
      const rest = { aliases: ['Acme Cloud'], domain: 'acme.com' };
      const strict = brand(
        'Acme',
        { caseSensitive, exclude: ['the acme', 'big acme cloud', 'acme the'] },
        rest,
      );
      const spans = (tracked: TrackedBrand) =>
        extract({ answerText: text, sources: [], brands: [tracked] })[0]?.mentionCount ?? 0;
      expect(spans(strict)).toBeLessThanOrEqual(spans(brand('Acme', {}, rest)));
    }),
    { numRuns: 300 },
  );
});

test('250 brands with 20 phrases each are searched in one pass', () => {
  const brands = Array.from({ length: 250 }, (_, index) =>
    brand(`Maker${index}`, {
      exclude: Array.from({ length: 20 }, (_each, at) => `maker${index} phrase${at}`),
    }),
  );
  const text = brands.map(({ name }) => `${name} phrase7 and ${name} are here. `).join('');
  const found = extract({ answerText: text, sources: [], brands });
  expect(new Set(found.map(({ mentionCount }) => mentionCount))).toEqual(new Set([1]));
});
