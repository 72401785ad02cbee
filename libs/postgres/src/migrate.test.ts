import { expect, test } from '@jest/globals';
import { splitStatements } from './migrate.ts';

test('a file is split at the ends of its statements, not inside a body or a comment', () => {
  const table = '-- A comment; with a semicolon.\ncreate table a (b int);\n';
  const body = 'do $$\nbegin\n  perform 1;\n  perform 2;\nend\n$$;\n';
  const index = "create index c on a (b) where b <> ';';\n";
  expect(splitStatements(`${table}\n${body}${index}\n`)).toEqual([`${table}\n`, body, `${index}\n`]);
});
