import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

type Source = { path: string; text: string };
/** A rule that all services follow, a search for violations, and a source that violates it. */
type Rule = { rule: string; find: (sources: Source[]) => string[]; violation: Source };

const root = join(import.meta.dirname, '..');
const requiredFiles = ['main.ts', 'config.ts', 'context.ts', 'app.ts'];
/** What a service has if it needs it. */
const optional = ['maintenance.ts', 'telemetry.ts', 'publish'];
const folders = ['http', 'commands', 'domain', 'db', 'events'];
const ownFolders: Record<string, string[]> = {
  gateway: ['edge', 'mcp', 'rate-limiting', 'idempotency', 'operator', 'upstream'],
  catalog: ['word-lists'],
  results: ['worker'],
  scans: ['worker', 'platforms'],
  webhooks: ['dispatcher'],
};
const services = ['gateway', 'catalog', 'results', 'scans', 'webhooks'];

function read(pattern: string): Source[] {
  return globSync(pattern, { cwd: root, exclude: ['**/*.test.ts', '**/node_modules/**'] })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Every match of a pattern, as `path:line: text`. */
const matching =
  (pattern: RegExp, isChecked: (path: string) => boolean = () => true) =>
  (sources: Source[]): string[] =>
    sources
      .filter(({ path }) => isChecked(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(pattern)].map(
          (match) => `${path}:${text.slice(0, match.index).split('\n').length}: ${match[0].trim()}`,
        ),
      );

/** Files of a name that lack a pattern. */
const lacking =
  (name: string, pattern: RegExp) =>
  (sources: Source[]): string[] =>
    sources.filter(({ path, text }) => path.endsWith(name) && !pattern.test(text)).map(({ path }) => path);

/** Exported functions of one name in two files of a service. */
function repeatedNames(sources: Source[]): string[] {
  const first = new Map<string, string>();
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?function (\w+)/gm)].flatMap(([, name]) => {
      const key = `${path.split('/')[1]} ${name}`;
      const other = first.get(key);
      first.set(key, path);
      return other === undefined ? [] : [`${name}: ${other}, ${path}`];
    }),
  );
}

/** Files and folders that a service must not have, and those it lacks. */
function layoutErrors(sources: Source[]): string[] {
  const parts = Map.groupBy(sources, ({ path }) => path.split('/')[1] ?? '');
  return [...parts].flatMap(([service, own]) => {
    const found = new Set(own.map(({ path }) => path.split('/')[3] ?? ''));
    const missing = [...requiredFiles, ...folders].filter((part) => !found.has(part));
    const allowed = new Set([...requiredFiles, ...optional, ...folders, ...(ownFolders[service] ?? [])]);
    const unknown = [...found].filter((part) => !allowed.has(part));
    return [
      ...missing.map((part) => `${service} lacks ${part}`),
      ...unknown.map((part) => `${service}/src/${part}`),
    ];
  });
}

/** Layers of a service. A file imports only lower ones, types included, and its own folder. */
const layers: Record<string, number> = {
  'main.ts': 0,
  'app.ts': 1,
  http: 2,
  events: 2,
  commands: 3,
  publish: 4,
  db: 5,
  domain: 6,
};
/** The other files and folders, such as workers. Commands may use them, and they use commands. */
const between = { importing: 2, imported: 4 };

/** Imports within a package, as pairs of paths. */
const listImports = ({ path, text }: Source): { from: string; to: string }[] =>
  [...text.matchAll(/\b(?:from|import) '(\.[^']+)'/g)].map(([, to = '']) => ({
    from: path,
    to: join(dirname(path), to),
  }));

function upwardImports(sources: Source[]): string[] {
  return sources.flatMap(listImports).flatMap(({ from, to }) => {
    const [importing = '', imported = ''] = [from, to].map((path) => path.split('/')[3]);
    const isDown = (layers[importing] ?? between.importing) < (layers[imported] ?? between.imported);
    return importing === imported || isDown ? [] : [`${from} imports ${to}`];
  });
}

const source = (path: string, text: string): Source => ({ path: `services/x/src/${path}`, text });

const rules: Rule[] = [
  {
    rule: 'a service has the common files and folders',
    find: layoutErrors,
    violation: source('jobs.ts', ''),
  },
  {
    rule: 'imports point down, types included',
    find: upwardImports,
    violation: source('commands/create-org.ts', "import type { Nats } from '../events/messaging.ts';"),
  },
  {
    rule: 'domain imports only domain',
    find: upwardImports,
    violation: source('domain/plan.ts', "import { type OrgRow } from '../db/orgs.ts';"),
  },
  {
    rule: 'main.ts has at most 20 lines',
    find: (sources) =>
      sources
        .filter(({ path, text }) => path.endsWith('src/main.ts') && text.trimEnd().split('\n').length > 20)
        .map(({ path }) => path),
    violation: source('main.ts', 'await start();\n'.repeat(21)),
  },
  {
    rule: 'app.ts exports createApp(config, deps), Deps and App',
    find: (sources) => [
      ...lacking(
        'src/app.ts',
        /^export async function createApp\(\s*config: Config,[^;]*?: Deps,?\s*\): Promise<App>/m,
      )(sources),
      ...lacking('src/app.ts', /^export type Deps = \{[^}]*\blifecycle: Lifecycle/m)(sources),
      ...lacking('src/app.ts', /^export type App = \{[^}]*\bmonitoringPort: number/m)(sources),
    ],
    violation: source('app.ts', 'export async function startApp(config: Config) {}'),
  },
  {
    rule: 'time is a dependency of the app',
    find: lacking('src/app.ts', /^export type Deps = \{[^}]*\bnow\?: /m),
    violation: source('app.ts', 'export type Deps = { log: Logger };'),
  },
  {
    rule: 'context.ts exports Context',
    find: lacking('src/context.ts', /^export type Context = /m),
    violation: source('context.ts', 'export type Dependencies = {};'),
  },
  {
    rule: 'a context is named ctx',
    find: matching(/(?<![\w.])(?!ctx\b)\w+\??: (?:Edge|Dispatcher)?Context\b(?!\[)/g),
    violation: source('http/orgs.ts', 'function listOrgs(context: Context) {}'),
  },
  {
    rule: 'http/routes.ts exports createRoutes(ctx)',
    find: lacking('src/http/routes.ts', /^export function createRoutes\(ctx: Context\): Route\[\] \{/m),
    violation: source('http/routes.ts', 'export const routes = (ctx: Context) => [];'),
  },
  {
    rule: 'constants are in camelCase',
    find: matching(/^(?:export )?const [A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*(?= |:)/gm),
    violation: source('http/orgs.ts', 'const MAX_ORGS = 3;'),
  },
  {
    rule: 'only the transaction that published wakes the relay',
    find: matching(/\.kick\(/g),
    violation: source('commands/create-org.ts', 'messaging.kick();'),
  },
  {
    rule: 'the definition of an RPC has its timeout',
    find: matching(/callRpc\([^;]*?[tT]imeoutMs/g),
    violation: source('events/find.ts', 'await callRpc(nats, findOrgRpc, { id }, { timeoutMs: 500 });'),
  },
  {
    rule: 'libs/http checks the organisation of a request',
    find: matching(/[!=]== (?:\w+\.)?caller\.orgId|caller\.orgId [!=]==/g),
    violation: source(
      'http/brands.ts',
      "if (params.orgId !== caller.orgId) throw new ApiError('not_found');",
    ),
  },
  {
    rule: 'libs/http maps an error to a response',
    find: matching(/\b(?:function|const) to\w*ErrorResponse\b/g),
    violation: source('edge/refuse.ts', 'function toErrorResponse(error: unknown) {}'),
  },
  {
    rule: 'an operation, a command and a statement have different names',
    find: repeatedNames,
    violation: source('x.ts', 'export function updatePrompt() {}\nexport async function updatePrompt() {}'),
  },
];

describe('every service:', () => {
  const sources = services.flatMap((service) => read(`services/${service}/src/**/*.ts`));

  test.each(rules)('$rule', ({ find, violation }) => {
    expect(find([violation])).not.toEqual([]);
    expect(find(sources)).toEqual([]);
  });
});

test('libs/http has the only function toErrorResponse', () => {
  const mappers = matching(/\bfunction toErrorResponse\b/g)(read('{clients,libs,services}/*/src/**/*.ts'));
  expect(mappers).toHaveLength(1);
  expect(mappers[0]).toMatch(/^libs\/http\//);
});

test('each migration of a service has its own number, which orders them', () => {
  const numbers = globSync('services/*/migrations/*.sql', { cwd: root }).map(
    (path) => /^services\/\w+\/migrations\/\d{4}_/.exec(path)?.[0] ?? path,
  );
  expect(numbers.length).toBeGreaterThanOrEqual(5);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

test('the sources of libraries and clients import no tool', () => {
  const tools = globSync('tools/*/package.json', { cwd: root }).map((path) => path.split('/')[1]);
  const find = matching(
    new RegExp(`\\b(?:from|import) '(?:@bv/(?:${tools.join('|')})\\b|[./]+/tools/).*'`, 'g'),
  );
  expect(find([{ path: 'libs/x/src/x.ts', text: "import { median } from '@bv/measure';" }])).toHaveLength(1);
  expect(find([{ path: 'libs/x/src/x.ts', text: "import '../../../tools/x/src/x.ts';" }])).toHaveLength(1);
  expect(find(read('{clients,libs}/*/{src,cli}/**/*.ts'))).toEqual([]);
});

test('a package is named by its path', () => {
  const manifests = execFileSync('git', ['ls-files', '*/package.json'], { cwd: root, encoding: 'utf8' });
  const named = manifests
    .trim()
    .split('\n')
    .map((path) => {
      const { name } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { name: string };
      const folder = dirname(path).replace(/^(?:clients|libs|services|tools)\//, '');
      return { name, expected: `@bv/${folder.replaceAll('/', '-')}` };
    });
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter(({ name, expected }) => name !== expected)).toEqual([]);
});

describe('every file of the repository:', () => {
  const generated = /^clients\/sdk\/src\/generated\//;
  const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.lua'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((path) => !generated.test(path));

  test('has at most 300 lines', () => {
    const tooLong = files.flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length;
      return lines > 300 ? [`${path}: ${lines}`] : [];
    });
    expect(files.length).toBeGreaterThan(800);
    expect(tooLong).toEqual([]);
  });

  test('has a name that says what it contains', () => {
    const vague = /^(?:common|shared|utils?|core|types|models|helpers?)$/;
    const names = files.flatMap((path) => path.split('/').map((part) => basename(part, '.ts')));
    expect(names.filter((name) => vague.test(name))).toEqual([]);
  });
});
