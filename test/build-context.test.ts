import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The packages that have an image, and the paths that the Dockerfile copies into it. */
const images = [
  ...read('Dockerfile')
    .replaceAll(/\\\n\s*/g, '')
    .matchAll(/deploy\/docker\/assemble @bv\/(\S+) ?(.*)$/gm),
].map(([, name = '', paths = '']) => ({ name, paths: paths.split(' ').filter((path) => path !== '') }));

test('.dockerignore includes every path that the Dockerfile copies into an image', () => {
  const rules = [...read('.dockerignore').matchAll(/^(!?)([^#\n].*)$/gm)];
  // The build writes the description of the operator API, the explorer, the site and the packages.
  const built = ['docs/openapi-operator.json', 'clients/explorer/dist/page', 'docs/dist', 'docs/downloads'];
  const copied = images.flatMap(({ paths }) => paths).filter((path) => !built.includes(path));
  expect(copied).toContain('docs/openapi.json');
  // The last rule that matches the path or a folder above it applies.
  const isIncluded = (path: string): boolean => {
    const above = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
    const rule = rules.findLast(([, , pattern = '']) => above.some((each) => matchesGlob(each, pattern)));
    return rule?.[1] === '!';
  };
  expect(copied.filter((path) => !isIncluded(path) || !existsSync(join(root, path)))).toEqual([]);
});

test('an image with @bv/extraction has its word lists', () => {
  const users = images.filter(({ name }) => {
    const manifests = globSync(`{services,libs,tools}/${name}/package.json`, { cwd: root });
    return manifests.some((path) => read(path).includes('"@bv/extraction": "workspace:*"'));
  });
  expect(users.map(({ name }) => name)).toEqual(['results', 'scans', 'platform-simulator']);
  expect(users.filter(({ paths }) => !paths.includes('libs/extraction/words'))).toEqual([]);
});
