import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readmeSamples } from './guides.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const tsc = join(root, '../../node_modules/typescript/bin/tsc');
/** Directory of a project outside the workspace, which has only the SDK installed. */
let project: string;
let installed: string;
type PackSdk = { packSdk: (outDir: string) => string };

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'bv-sdk-published-'));
  installed = join(project, 'node_modules/@bv/sdk');
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  const { packSdk } = (await import(join(root, '../../scripts/pack-sdk.ts'))) as PackSdk;
  const words = ['install', '--offline', '--no-audit', '--no-fund', packSdk(project)];
  await run('npm', words, { cwd: project });
}, 180_000);

afterAll(async () => {
  await rm(project, { recursive: true, force: true });
});

test('the client imports only its own files: neither Node’s modules nor packages', async () => {
  const files = (await readdir(join(installed, 'dist'), { recursive: true })).filter((name) =>
    /^(?:esm|cjs).*\.(?:js|d\.ts)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(40);
  for (const name of files) {
    const text = await readFile(join(installed, 'dist', name), 'utf8');
    const named = [...text.matchAll(/(?:\bfrom |^import |\b(?:import|require)\()['"]([^'"\n]+)['"]/gm)].map(
      ([, path]) => path,
    );
    expect(named.filter((path) => path?.startsWith('.') !== true)).toEqual([]);
    expect(text).not.toMatch(/\b(?:process|Buffer|__dirname)\b[.(]|reference types/);
  }
});

test('the package has what partners need and nothing of the workspace', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({
    name: '@bv/sdk',
    license: 'SEE LICENSE IN LICENSE',
    type: 'module',
    bin: { 'brand-visibility': 'dist/brand-visibility.cjs' },
  });
  expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:|ependencies|private|@bv\/source/);
  const { version } = manifest as { version: string };
  expect(await readFile(join(installed, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`);
  const licences = await readFile(join(installed, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
  expect(licences).toContain('commander ');
  const names = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const required = ['README.md', 'LICENSE', 'index.js', 'index.d.ts', 'quick-start.ts'];
  expect(names).toEqual(expect.arrayContaining(required));
  expect(names.filter((name) => /\.test\.|tsbuildinfo|\.map$/.test(name))).toEqual([]);
  expect(await readdir(join(project, 'node_modules/@bv'))).toEqual(['sdk']);
});

test('the generated sources match the contract', async () => {
  const workspace = join(root, '../..');
  const generator = (await import(join(workspace, 'tools/codegen/src/sdk.ts'))) as {
    sdkSources(root: string): [path: string, content: string][];
  };
  for (const [path, content] of generator.sdkSources(workspace)) {
    // If this fails, run `pnpm generate` and commit the result.
    expect(await readFile(join(workspace, path), 'utf8')).toBe(content);
  }
}, 180_000);

test('its types need only those of the platform or of Node, and reject what the API would', async () => {
  await writeFile(
    join(project, 'use.ts'),
    `import { BrandVisibilityClient, isApiError, verifyWebhook, type Mention } from '@bv/sdk';
    const client = new BrandVisibilityClient({ baseUrl: 'https://h/v1', apiKey: 'k' });
    const at = { orgId: 'o', brandId: 'b' };
    for await (const row of client.listMentions({ ...at, platform: 'chatgpt' })) {
      const mention: Mention = row;
      const position: number | null = mention.position;
      void position;
    }
    // @ts-expect-error no such platform
    client.listMentions({ ...at, platform: 'altavista' });
    // @ts-expect-error a brand is missing
    client.listMentions({ orgId: 'o' });
    // @ts-expect-error the text of a prompt is immutable
    await client.updatePrompt({ orgId: 'o', promptId: 'p' }, { text: 'x' });
    // @ts-expect-error reads take no idempotency key
    await client.getOrg({ orgId: 'o' }, { idempotencyKey: 'x' });
    try {
      await client.requestScan(at);
    } catch (error) {
      if (isApiError(error, 'scan_already_queued')) {
        const jobId: string | null | undefined = error.details?.job_id;
        void jobId;
      }
      // @ts-expect-error no such code
      isApiError(error, 'no_such_code');
    }
    const event = await verifyWebhook({ headers: {}, body: '' }, 'whsec_AAAA');
    if (event.type === 'scan.completed') {
      const score: number | null = event.data.score.value;
      void score;
    }
    export {};`,
  );
  await symlink(join(root, '../../node_modules/@types'), join(project, 'node_modules/@types'));
  const samples = readmeSamples();
  expect(samples.length).toBeGreaterThan(3);
  for (const [at, sample] of samples.entries()) await writeFile(join(project, `readme-${at}.ts`), sample);
  const strict = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--exactOptionalPropertyTypes',
  ];
  const readme = samples.map((_, at) => `readme-${at}.ts`);
  for (const platform of [
    ['--types', '', '--lib', 'es2023,dom,dom.iterable', 'use.ts'],
    ['--types', 'node', '--lib', 'es2023', 'use.ts', ...readme],
  ]) {
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...strict, ...platform], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(stdout + stderr).toBe('');
  }
}, 180_000);
