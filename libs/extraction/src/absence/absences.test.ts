import { describe, expect, test } from '@jest/globals';
import { extract } from '../extract.ts';
import type { TrackedBrand } from '../names/tracked-brand.ts';
import { brandPassages } from '../passages/passages.ts';
import { absenceLanguages } from './absences.ts';

function brand(name: string, domain = 'unrelated.example'): TrackedBrand {
  return { id: name, name, domain, aliases: [], isOwn: false };
}

function find(text: string, ...brands: TrackedBrand[]) {
  return extract({ answerText: text, sources: [{ domain: 'acme.com', cited: true }], brands });
}

function countMentions(text: string, ...names: string[]): number[] {
  return find(text, ...names.map((name) => brand(name))).map(({ mentionCount }) => mentionCount);
}

test('the languages of the markets are covered', () => {
  expect(absenceLanguages.join(' ')).toBe('af da de en es fi fr hi id it ja ko nl no pl pt sv tl zh');
});

describe('a brand that only an absence statement names', () => {
  const text = 'Globex is excellent. I found no reliable information about Acme.';
  const [acme, globex] = find(text, brand('Acme', 'acme.com'), brand('Globex'));

  test('is not mentioned, without evidence, position and sentiment', () => {
    expect(acme).toMatchObject({
      mentioned: false,
      mentionCount: 0,
      evidence: [],
      position: null,
      sentiment: null,
    });
  });

  test('is still cited by its domain', () => {
    expect(acme?.cited).toBe(true);
  });

  test('leaves the rank to the others and has no passages', () => {
    expect(globex).toMatchObject({ mentioned: true, position: 1 });
    expect(brandPassages(text, [brand('Acme'), brand('Globex')]).map((of) => of.brand)).toEqual([1]);
  });
});

describe('what belongs to the statement', () => {
  test.each([
    [
      'a name elsewhere in the answer counts',
      'I found no information about Acme. Acme has its own site.',
      [1],
    ],
    ['so does a heading', '## Acme\nI found no information about Acme.', [1]],
    ['a statement ends with its line', 'I found no information about\nAcme is fast.', [1]],
    ['a statement ends with its sentence', 'I know nothing. About Acme there is more to say.', [1]],
    ['the cells of a table are no statement', '| Acme | no data |\n| Globex | 5 € |', [1]],
    ['text in bold', '- **Acme**: no information available', [0]],
    ['the address behind a name', 'I found no information about Acme (https://acme.com).', [0]],
  ])('%s', (_rule, text, expected) => {
    expect(find(text, brand('Acme', 'acme.com')).map(({ mentionCount }) => mentionCount)).toEqual(expected);
  });

  test('overlapping names', () => {
    expect(countMentions('I found no information about Acme Cloud.', 'Acme', 'Acme Cloud')).toEqual([0, 0]);
  });

  test('names with punctuation', () => {
    expect(countMentions('I found nothing about Yahoo! or Dr. Martens.', 'Yahoo!', 'Dr. Martens')).toEqual([
      0, 0,
    ]);
    expect(countMentions('Yahoo! does not appear in the search results.', 'Yahoo!')).toEqual([0]);
  });

  test('a list with names that are not tracked', () => {
    expect(countMentions('I found no information about Hooli, Acme or Vandelay.', 'Acme')).toEqual([0]);
    expect(countMentions('I found nothing about Acme, Globex is fast.', 'Acme', 'Globex')).toEqual([0, 1]);
  });
});
