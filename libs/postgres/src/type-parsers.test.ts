import { expect, test } from '@jest/globals';
import { parseArray } from './type-parsers.ts';

test.each([
  ['{}', []],
  ['{US}', ['US']],
  ['{US,DE,two-words}', ['US', 'DE', 'two-words']],
  ['{"two words",US}', ['two words', 'US']],
  ['{"a,b","","NULL",NULL}', ['a,b', '', 'NULL', null]],
  [String.raw`{"say \"hi\"","back\\slash","{brace}"}`, ['say "hi"', String.raw`back\slash`, '{brace}']],
  [
    '{{a,b},{c,d}}',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['[0:1]={a,b}', ['a', 'b']],
])('%s', (text, elements) => {
  expect(parseArray(text, (element) => element)).toEqual(elements);
});

test('every element is parsed, nulls are not', () => {
  expect(parseArray('{1,22}', Number)).toEqual([1, 22]);
  expect(parseArray('{1,NULL}', Number)).toEqual([1, null]);
});
