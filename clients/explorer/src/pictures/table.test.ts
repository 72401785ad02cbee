import { expect, test } from '@jest/globals';
import { toCsv } from './table.ts';

test('CSV quotes what needs quotes, and no text is run as a formula', () => {
  const rows = [
    ['a "b", c', 1.5],
    ['=1+1', -2],
    ['two\nlines', null],
  ];
  expect(toCsv({ columns: ['Name', 'Rate %'], rows })).toBe(
    'Name,Rate %\r\n"a ""b"", c",1.5\r\n\'=1+1,-2\r\n"two\nlines",\r\n',
  );
});
