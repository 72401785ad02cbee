import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('.dockerignore includes every path that the Dockerfile copies into an image', () => {
  const included = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path = '']) => path);
  const instructions = read('Dockerfile').replaceAll(/\\\n\s*/g, '');
  const copied = [...instructions.matchAll(/deploy\/docker\/assemble \S+ (.+)$/gm)].flatMap(
    ([, paths = '']) => paths.split(' '),
  );
  expect(copied).toContain('docs/openapi.json');
  const isIncluded = (path: string): boolean =>
    included.some((pattern) => path === pattern || path.startsWith(`${pattern}/`));
  expect(copied.filter((path) => !isIncluded(path) || !existsSync(join(root, path)))).toEqual([]);
});
