import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { configuredPrograms, loadConfigSchema } from '@bv/codegen';
import { errorCodes, operations, operatorOperations } from '@bv/contract';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { listShellBlocks, operatorPages } from './drills/documented-commands.ts';
import { scenarios as faults } from './faults/scenarios.ts';
import { scenarios as loads } from '../loadtests/src/scenarios.ts';

/** What documents name must exist. Examples are run by other tests and drills. */
const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trimEnd().split('\n');

const documents = tracked.filter((path) => path.endsWith('.md') && existsSync(join(root, path)));
/** Changelogs and upgrade notes also name what is gone. */
const current = documents.filter(
  (path) => !/CHANGELOG\.md$|operations\/upgrade\.md$|^docs\/releases/.test(path),
);
const guides = documents.filter((path) => /^docs\/(?:guides|operations)\//.test(path));

const isSource = (path: string): boolean =>
  /(?:^(?:\.ci|deploy|docker-compose\.yml)|\.(?:ts|mjs|py|lua|sql|yaml|yml|tpl|lua))/.test(path) &&
  !path.endsWith('documents.test.ts');
const sources = tracked.filter(
  (path) => isSource(path) && !path.endsWith('.md') && existsSync(join(root, path)),
);
const sourceText = sources.map(read).join('\n');

type Named = { page: string; name: string };
/** What a pattern finds in the pages: its first group that matched. */
function find(pages: readonly string[], pattern: RegExp): Named[] {
  return pages.flatMap((page) =>
    [...read(page).matchAll(pattern)].map(([all, ...groups]) => ({
      page,
      name: groups.find((group) => group !== undefined) ?? all,
    })),
  );
}

/** Fails with each name that does not exist, and its page. `least` shows that the pattern still finds names. */
function expectKnown(
  named: readonly Named[],
  least: number,
  isKnown: (name: string, page: string) => boolean,
) {
  expect(named.length).toBeGreaterThanOrEqual(least);
  expect(named.filter(({ name, page }) => !isKnown(name, page))).toEqual([]);
}

/** The folder of a page and those above it. */
const foldersOf = (page: string): string[] => {
  const parts = dirname(page).split('/');
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
};

/** The anchors of the headings of a page, as GitHub writes them. */
function anchors(page: string): string[] {
  const text = read(page).replaceAll(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('documents name only what exists:', () => {
  test('files and sections that they link to', () => {
    const links = find(documents, /\]\((?!https?:|mailto:)([^)\s]+)\)/g);
    // Pages that only the site has. Its build checks these links.
    expectKnown(links, 150, (link, page) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (link.startsWith('/docs/')) return page.startsWith('docs/guides/');
      if (!existsSync(join(root, target))) return false;
      return anchor === undefined || (target.endsWith('.md') && anchors(target).includes(anchor));
    });
  });

  test('figures that other pages have', () => {
    const figures = documents.flatMap((page) =>
      [...read(page).matchAll(/\[([\d.,]+)\]\(([^)#]+\.md)/g)].map(([, name = '', path = '']) => ({
        page: join(dirname(page), path),
        name,
      })),
    );
    expectKnown(figures, 2, (figure, page) => read(page).includes(`${figure} `));
  });

  test('paths of the repository', () => {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name) && entry.name !== 'dist')
      .map(({ name }) => name);
    const paths = find(current, new RegExp(`\`((?:${folders.join('|')})/[\\w./-]*\\w)\``, 'g'));
    // A path may be the start of a name, as the test runner takes it. In a package it may be relative to it.
    expectKnown(
      paths,
      35,
      (path, page) =>
        path === 'tools/call' ||
        /\/dist(?:\/|$)/.test(path) ||
        foldersOf(page).some((folder) => globSync(`${path}*`, { cwd: join(root, folder) }).length > 0),
    );
  });

  test('packages of ours where they are: in no public registry, so a stranger may have their names', () => {
    const fetched =
      /\b((?:npx (?:-y |--yes |-p \S+ )*(?:bv|brand-visibility)|(?:npm i(?:nstall)?|npx -p|uvx|pip install) '?(?:@bv\/sdk|bv-sdk)(?!\[dlt\] @))\b.*)/g;
    expect(find(documents, fetched)).toEqual([]);
  });

  test('scripts, benchmarks, load runs and fault scenarios', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const own = new Set([...Object.keys(scripts), 'install', 'add', 'exec']);
    const command = /(?:`|^ *|\| )pnpm (?:--silent )?([a-z][a-z:-]+)/gm;
    expectKnown(find(documents, command), 60, (name) => own.has(name));
    const benches = globSync('{libs,services}/*/bench/*.ts', { cwd: root }).map((path) =>
      basename(path, '.ts'),
    );
    expectKnown(find(current, /pnpm bench ([a-z-]+)/g), 3, (name) => benches.includes(name));
    expectKnown(find(current, /pnpm load ([a-z-]+)/g), 2, (name) => name in loads);
    const starts = find(current, /pnpm test:faults ([a-z][a-z-]*(?: [a-z][a-z-]*)*)/g).flatMap(
      ({ page, name }) => name.split(' ').map((start) => ({ page, name: start })),
    );
    expectKnown(starts, 2, (start) => faults.some(({ name }) => name.startsWith(start)));
  });

  test('settings', async () => {
    const shapes = await Promise.all(configuredPrograms.map((program) => loadConfigSchema(program)));
    const settings = new Set(shapes.flatMap(({ shape }) => Object.keys(shape)));
    const named = find(current, /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g);
    // Variables of scripts and SDKs are in their sources, those of Node, OpenTelemetry and Docker in none.
    const foreign = /^(?:NODE_OPTIONS|NODE_EXTRA_CA_CERTS|OTEL_\w+|DOCKER_DEFAULT_PLATFORM|AI_OVERVIEWS)$/;
    expectKnown(
      named,
      120,
      (name) => settings.has(name) || foreign.test(name) || new RegExp(`\\b${name}\\b`).test(sourceText),
    );
  });

  test('variables of the commands of operators', () => {
    const explained = (page: string): string =>
      read(page).replaceAll(/^ *```[^]*?^ *```$/gm, '') + read('docs/operations.md');
    const used = operatorPages.flatMap((page) => {
      const commands = listShellBlocks(page)
        .map((block) => block.commands)
        .join('\n');
      return [...commands.matchAll(/\$\{?([A-Z][A-Z_]{2,})/g)]
        .map(([, name = '']) => ({ page, name }))
        .filter(
          ({ name }) => name !== 'PWD' && !new RegExp(`\\b${name}=|\\bread -.* ${name}\\b`).test(commands),
        );
    });
    expectKnown(used, 10, (name, page) => explained(page).includes(`\`${name}\``));
  });

  test('metrics', () => {
    const named = find(current, /\b(?:bv|gen_ai_client)_[a-z_]+[a-z]\b/g);
    expectKnown(named, 50, (name) => {
      const metric = name.replace(/_(?:count|bucket|sum)$/, '');
      return (
        name === 'bv_sdk' ||
        sourceText.includes(`'${metric}'`) ||
        /^bv_(?:gateway|catalog|results|scans|webhooks)$/.test(name)
      );
    });
  });

  test('operations, and error codes with their status', () => {
    const ids = new Set([...operations, ...operatorOperations].map(({ id }) => id));
    const verbs =
      'list|get|create|update|delete|request|sync|link|unlink|test|replay|rotate|recover|reprocess|compare';
    expectKnown(
      find(guides, new RegExp(`\`((?:${verbs})[A-Z]\\w+)\``, 'g')),
      15,
      (name) => ids.has(name) || name === 'requestId',
    );
    const responses = find(current, /`([45]\d\d [a-z][a-z_]+)`/g);
    expectKnown(responses, 20, (response) => {
      const [status, code = ''] = response.split(' ');
      // The services return it to the gateway only.
      if (code === 'invalid_caller') return true;
      return (errorCodes as Record<string, { status: number }>)[code]?.status === Number(status);
    });
  });

  test('alerts, and values of the chart', () => {
    const alerts = read('deploy/helm/brand-visibility/files/alerts.yaml');
    const named = find(current, /\b(BrandVisibility[A-Z]\w+)\b/g).filter(
      ({ name }) => !/Client|Error/.test(name),
    );
    expectKnown(named, 40, (name) => alerts.includes(`alert: ${name}\n`));
    const values = parse(read('deploy/helm/brand-visibility/values.yaml')) as Record<string, unknown>;
    const keys = Object.keys(values).filter(
      (key) => !/^(?:catalog|results|scans|webhooks|gateway)/.test(key),
    );
    const pattern = new RegExp(
      `\`((?:${keys.join('|')})(?:\\.(?!env\\b|yaml\\b)[A-Za-z]+)+)(?:=[^\`]*)?\``,
      'g',
    );
    expectKnown(
      find(
        guides.filter((page) => current.includes(page)),
        pattern,
      ),
      8,
      (path) => {
        let value: unknown = values;
        for (const key of path.split('.')) {
          if (typeof value !== 'object' || value === null || !(key in value)) return false;
          value = (value as Record<string, unknown>)[key];
        }
        return true;
      },
    );
  });
});
