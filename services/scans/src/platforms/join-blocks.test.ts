import { expect, test } from '@jest/globals';
import { joinBlocks } from './answer.ts';

test.each([
  [['a', 'b'], 'ab'],
  [['a', null, 'b'], 'a\n\nb'],
  [['a \n', null, null, '\n\n b'], 'a\n\nb'],
  [['a', null, ' ', null, 'b'], 'a\n\nb'],
  [['a', null, '\n', 'b'], 'a\n\nb'],
  [[null, ' a ', null], ' a '],
  [['', null, 'a'], 'a'],
  [['a', '\n\n', 'b'], 'a\n\nb'],
  [[], ''],
])('blocks %j are joined to %j', (blocks, expected) => {
  expect(joinBlocks(blocks)).toBe(expected);
});
