/**
 * Checks the packed SDK like a partner's tools do: publint, arethetypeswrong in every mode, and fresh projects that
 * install it, compile with TypeScript and run with the oldest supported Node.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packSdk } from '../../scripts/pack-sdk.ts';
import { getOldestNode, installNpm, oldestNodePackage } from './install-npm.ts';

const packages = [
  'publint@0.3.25',
  '@arethetypeswrong/cli@0.18.5',
  'typescript@5.9.3',
  '@types/node@20.19.24',
  oldestNodePackage,
];
const bin = installNpm(packages);
const scratch = mkdtempSync(join(tmpdir(), 'bv-package-'));
let isGood = true;

function check(name: string, command: string, args: string[], cwd = scratch, input = ''): string {
  const env = { ...process.env, BV_BASE_URL: 'http://127.0.0.1:9/v1', BV_API_KEY: 'k' };
  const options = { cwd, env, input, encoding: 'utf8', timeout: 120_000 } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  isGood &&= status === 0;
  console.log(`${name}: ${status === 0 ? 'good' : `FAILED\n${stdout}${stderr}`}`);
  return stdout;
}

const body = `
const client = new BrandVisibilityClient({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k', retry: { maxRetries: 0 } });
async function run() {
  const signed = await signWebhook({ id: 'e', type: 'endpoint.ping' }, 'whsec_AAAA');
  const { id } = await verifyWebhook(signed, 'whsec_AAAA');
  const error: unknown = await client.getOrg({ orgId: 'o' }).catch((caught: unknown) => caught);
  console.log(id, error instanceof ConnectionError);
}
void run();
`;
const imports = `import { BrandVisibilityClient, ConnectionError, verifyWebhook } from '@bv/sdk';
import { signWebhook } from '@bv/sdk/testing';`;
const requires = `const { BrandVisibilityClient, ConnectionError, verifyWebhook } = require('@bv/sdk');
const { signWebhook } = require('@bv/sdk/testing');`;
const withoutTypes = body.replaceAll(': unknown', '');

type Project = { name: string; type: 'commonjs' | 'module'; file: string; text: string; compiler?: string[] };
const projects: Project[] = [
  {
    name: 'ES modules in TypeScript, nodenext',
    type: 'module',
    file: 'use.ts',
    text: imports + body,
    compiler: ['--module', 'nodenext'],
  },
  {
    name: 'CommonJS in TypeScript, node16',
    type: 'commonjs',
    file: 'use.ts',
    text: imports + body,
    compiler: ['--module', 'node16'],
  },
  {
    name: 'CommonJS in TypeScript, node10',
    type: 'commonjs',
    file: 'use.ts',
    text: imports + body,
    compiler: ['--module', 'commonjs', '--moduleResolution', 'node10'],
  },
  {
    name: 'ES modules in TypeScript, bundler',
    type: 'module',
    file: 'use.ts',
    text: imports + body,
    compiler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
  },
  { name: 'ES modules in JavaScript', type: 'module', file: 'use.js', text: imports + withoutTypes },
  { name: 'CommonJS in JavaScript', type: 'commonjs', file: 'use.js', text: requires + withoutTypes },
];
const strict = [
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--skipLibCheck',
  'false',
];

function tryProject({ name, type, file, text, compiler }: Project, tarball: string): void {
  const project = join(scratch, name.replaceAll(/\W+/g, '-'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type }));
  writeFileSync(join(project, file), text);
  const words = ['install', '--offline', '--no-audit', '--no-fund', '--loglevel', 'error', tarball];
  execFileSync('npm', words, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  if (compiler !== undefined) {
    symlinkSync(join(bin, '../@types'), join(project, 'node_modules/@types'));
    const options = ['--target', 'es2022', '--types', 'node', ...strict, ...compiler, file];
    check(`${name}: compiles`, join(bin, 'tsc'), options, project);
  }
  const printed = check(`${name}: runs on Node 20.0`, getOldestNode(bin), ['use.js'], project);
  if (printed !== 'e true\n') {
    isGood = false;
    console.log(`${name}: FAILED, it printed ${printed}`);
  }
}

try {
  const tarball = packSdk(scratch);
  check('publint', join(bin, 'publint'), [tarball, '--strict']);
  check('arethetypeswrong', join(bin, 'attw'), [tarball]);
  for (const project of projects) tryProject(project, tarball);
  const bv = join(scratch, 'CommonJS-in-JavaScript/node_modules/.bin/brand-visibility');
  check('brand-visibility --version on Node 20.0', getOldestNode(bin), [bv, '--version']);
  const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const reply = check('brand-visibility mcp on Node 20.0', getOldestNode(bin), [bv, 'mcp'], scratch, message);
  if (!reply.startsWith('{"jsonrpc":"2.0","id":1,"error":')) {
    isGood = false;
    console.log(`brand-visibility mcp: FAILED, it printed ${reply}`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = isGood ? 0 : 1;
