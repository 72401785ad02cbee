import { expect, test } from '@jest/globals';
import { readSource } from './read-source.ts';

const source = `/** Returns the number
 * of rows. */
// First line,
// second line.
const a = 1; // Own line.
log.warn({ err }, 'is lost');
// oxlint-disable-next-line
ctx.log.error(\`\${count} rows
are lost\`);
log.child('no message');
`;

test('comments and log messages have the line where they start; consecutive line comments are one', () => {
  expect(readSource('a.ts', source)).toEqual(
    [
      { line: 1, text: 'Returns the number\nof rows.' },
      { line: 3, text: 'First line,\nsecond line.' },
      { line: 5, text: 'Own line.' },
      { line: 6, text: 'is lost' },
      { line: 8, text: 'value rows\nare lost' },
    ].map((passage) => ({ file: 'a.ts', ...passage })),
  );
});
