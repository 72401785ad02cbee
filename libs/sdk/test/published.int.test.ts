import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { disconnect, type FaultServer, page, respond, startFaultServer } from './fault-server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const tsc = join(root, '../../node_modules/typescript/bin/tsc');
/** Directory of a project outside the workspace, which has only the SDK installed. */
let project: string;
let installed: string;
let server: FaultServer | undefined;
type PackSdk = { packSdk: (outDir: string) => string };

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'bv-sdk-published-'));
  installed = join(project, 'node_modules/@bv/sdk');
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  const { packSdk } = (await import(join(root, '../../scripts/pack-sdk.ts'))) as PackSdk;
  const words = ['install', '--offline', '--no-audit', '--no-fund', packSdk(project)];
  await run('npm', words, { cwd: project });
}, 60_000);

afterAll(async () => {
  await server?.close();
  await rm(project, { recursive: true, force: true });
});

/** The oldest supported Node on this machine, or else the one of the tests. */
function oldestNode(): { path: string; major: number } {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((dir) => join(dir, 'node'));
  const found = [...new Set([...paths, process.execPath])].flatMap((path) => {
    const { stdout, status } = spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    return status === 0 ? [{ path, major: Number.parseInt(stdout, 10) }] : [];
  });
  const supported = found.filter(({ major }) => major >= 20).toSorted((a, b) => a.major - b.major);
  return supported[0] ?? { path: process.execPath, major: Number.parseInt(process.versions.node, 10) };
}

test('the files import only each other: neither Node’s modules nor packages', async () => {
  const files = (await readdir(join(installed, 'dist'), { recursive: true })).filter((name) =>
    /\.(?:js|d\.ts)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(10);
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
    version: '1.0.0',
    license: 'UNLICENSED',
    type: 'module',
  });
  expect(JSON.stringify(manifest)).not.toMatch(/workspace:|catalog:|ependencies|private|@bv\/source/);
  const names = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['README.md', 'index.js', 'index.d.ts', 'quick-start.ts']));
  expect(names.filter((name) => /test|tsbuildinfo|\.map$/.test(name))).toEqual([]);
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
}, 30_000);

test('it runs on the oldest supported Node without other packages', async () => {
  server = await startFaultServer([
    disconnect,
    respond(201, { data: { id: 'p1' } }),
    page([{ platform: 'chatgpt' }], 'c1'),
    page([{ platform: 'claude' }], null),
  ]);
  const script = `
    import { BrandVisibilityClient, verifyWebhook, isApiError } from '@bv/sdk';
    const client = new BrandVisibilityClient({ baseUrl: '${server.baseUrl}', apiKey: 'k', retry: { baseDelayMs: 5 } });
    const at = { orgId: 'o', brandId: 'b' };
    const prompt = await client.createPrompt(at, { text: 'T', countries: ['US'] });
    const platforms = [];
    for await (const row of client.listMentions(at)) platforms.push(row.platform);
    const refused = await verifyWebhook({ headers: new Headers(), body: '' }, 'whsec_AAAA').catch((e) => e.reason);
    console.log(JSON.stringify({ major: Number.parseInt(process.versions.node), prompt, platforms, refused }));
  `;
  await writeFile(join(project, 'run.js'), script);
  const node = oldestNode();
  const { stdout, stderr } = await run(node.path, [join(project, 'run.js')], {
    cwd: project,
    timeout: 20_000,
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    major: node.major,
    prompt: { id: 'p1' },
    platforms: ['chatgpt', 'claude'],
    refused: 'missing_header',
  });
}, 30_000);

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
  const strict = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--exactOptionalPropertyTypes',
  ];
  for (const platform of [
    ['--types', '', '--lib', 'es2023,dom,dom.iterable'],
    ['--types', 'node', '--lib', 'es2023'],
  ]) {
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, ...strict, ...platform, 'use.ts'], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(stdout + stderr).toBe('');
  }
}, 60_000);
