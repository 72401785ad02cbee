import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { commandSpecs } from '../libs/operator-cli/src/commands.ts';

const root = join(import.meta.dirname, '..');
const page = (name: string): string => readFileSync(join(root, name), 'utf8');
const pages = ['README.md', 'docs/operations.md', 'libs/operator-cli/README.md'];
const runbooks = page('docs/operations.md');

const unique = (values: (string | undefined)[]): string[] =>
  [...new Set(values)].filter((value) => value !== undefined).toSorted();

/** All sources of services and libraries, which contain the names of metrics. */
function sources(): string {
  const files = globSync('{libs,services}/*/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  return files.map(page).join('\n');
}

describe('runbooks name only what exists:', () => {
  test('every metric', () => {
    const named = unique(
      [...runbooks.matchAll(/\bbv_[a-z_]+/g)].map(([name]) => name.replace(/_(?:count|bucket|sum)$/, '')),
    );
    const text = sources();
    expect(named.length).toBeGreaterThan(12);
    expect(named.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  });

  test('every command of the operator, with its options', () => {
    const specs = commandSpecs();
    const lines = pages.flatMap((name) => [
      ...page(name).matchAll(/pnpm operator ([a-z-]+)((?: [^`\n|#]+)?)/g),
    ]);
    expect(lines.length).toBeGreaterThan(10);
    for (const [line, group, rest = ''] of lines) {
      const known = specs.filter((spec) => spec.group === group);
      const [verb = 'list'] = rest.trim().split(' ');
      const spec =
        known.find((each) => each.verb === verb) ?? known.find(() => verb === '' || verb === '--json');
      if (group === '--help' || group === '--') continue;
      expect([line, spec?.group]).toEqual([line, group]);
      const options = spec?.variants.flatMap(({ body, query, options: ids }) =>
        [...body, ...query, ...ids].map(({ option }) => option),
      );
      for (const [, option] of rest.matchAll(/ --([a-z-]+)/g)) {
        expect([...(options ?? []), 'json', 'limit', 'url', 'token', 'help']).toContain(option);
      }
    }
  });

  test('every script', () => {
    const { scripts } = JSON.parse(page('package.json')) as { scripts: Record<string, string> };
    const named = unique(
      pages.flatMap((name) => [...page(name).matchAll(/`pnpm ([a-z:-]+)/g)].map(([, script]) => script)),
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('every section', () => {
    const headings = [...runbooks.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = unique([...runbooks.matchAll(/\]\(#([^)]+)\)/g)].map(([, link]) => link));
    expect(links.length).toBeGreaterThan(8);
    expect(links.filter((link) => !headings.includes(link))).toEqual([]);
  });
});
