import { expect, test } from '@jest/globals';
import { parseWordList } from './word-lists.ts';

const known = { sections: ['good', 'bad'], options: ['no spaces'] } as const;
const parse = (text: string) => parseWordList('words/tone/xx.txt', text, known);

test('a list has its sections, options and lines', () => {
  const text = '# Words\n[options]\nno spaces\n\n[good]\nfast, easy\n# more\nlets you|us\n  relax\n';
  const { sections, options } = parse(text);
  expect(sections).toEqual({
    good: [
      { text: 'fast, easy', place: 'words/tone/xx.txt:6' },
      { text: 'lets you|us relax', place: 'words/tone/xx.txt:8' },
    ],
    bad: [],
  });
  expect([...options]).toEqual(['no spaces']);
});

test.each([
  ['[good]\nfast\n[god]\n', 'words/tone/xx.txt:3: no such section: [god]'],
  ['[good\nfast\n', 'words/tone/xx.txt:1: no such section: [good'],
  ['fast\n[good]\n', 'words/tone/xx.txt:1: a section must come first: fast'],
  ['[options]\nspaces\n', 'words/tone/xx.txt:2: no such option: spaces'],
])('%j is an error with its place', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});
