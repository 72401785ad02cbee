/** Releases the SDK to a local registry (Verdaccio), and installs it from there into an empty project. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@bv/testkit';
import { readManifest } from '../../scripts/pack-sdk.ts';
import { installNpm } from './install-npm.ts';

const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'bv-release-'));
const registry = `http://127.0.0.1:${await freePort()}/`;
const { name, version } = readManifest();

/** Verdaccio without another registry behind it. */
function startRegistry() {
  const config = {
    storage: join(scratch, 'storage'),
    auth: { htpasswd: { file: join(scratch, 'htpasswd') } },
    packages: { '**': { access: '$all', publish: '$authenticated' } },
    log: { type: 'stdout', level: 'error' },
  };
  writeFileSync(join(scratch, 'config.yaml'), JSON.stringify(config));
  // Verdaccio names a tag of node-fetch, which mirrors of the registry lack.
  const program = join(installNpm(['verdaccio@6.10.4'], { 'node-fetch': '2.7.0' }), 'verdaccio');
  const words = ['--config', join(scratch, 'config.yaml'), '--listen', registry];
  return spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function createUser(): Promise<string> {
  const user = { name: 'ci', password: crypto.randomUUID() };
  const response = await fetch(`${registry}-/user/org.couchdb.user:ci`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  return ((await response.json()) as { token: string }).token;
}

/** A repository whose state the release sees instead of that of this checkout. */
function createRepository(): string {
  const repository = join(scratch, 'repository');
  execFileSync('git', ['init', '--quiet', repository]);
  return repository;
}

let isGood = true;
function expectThat(what: string, isTrue: boolean, output = ''): void {
  isGood &&= isTrue;
  console.log(`${what}: ${isTrue ? 'good' : `FAILED\n${output}`}`);
}

function release(repository: string, token: string, ...args: string[]) {
  const script = join(root, 'scripts/release-sdk.ts');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@bv/source', script, ...args],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        GIT_DIR: join(repository, '.git'),
        GIT_WORK_TREE: repository,
        SDK_REGISTRY: registry,
        SDK_REGISTRY_TOKEN: token,
      },
    },
  );
  return { status, output: stdout + stderr };
}

const isPublished = async (): Promise<boolean> =>
  (await fetch(`${registry}${name.replace('/', '%2f')}`)).status === 200;

function install(): string {
  const project = join(scratch, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  const words = ['install', '--no-audit', '--no-fund', '--registry', registry, `${name}@${version}`];
  execFileSync('npm', words, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
  return execFileSync(join(project, 'node_modules/.bin/brand-visibility'), ['--version'], {
    encoding: 'utf8',
  });
}

async function tryRelease(): Promise<void> {
  await eventually(async () => {
    if (!(await fetch(`${registry}-/ping`)).ok) throw new Error('the registry does not answer');
  });
  const token = await createUser();
  const repository = createRepository();
  const dirty = join(repository, 'dirty');
  writeFileSync(dirty, '');
  const refused = release(repository, token);
  expectThat(
    'a dirty tree is refused',
    refused.status === 1 && refused.output.includes('has changes'),
    refused.output,
  );
  rmSync(dirty);
  const wrong = release(repository, 'wrong');
  expectThat('a wrong token publishes nothing', wrong.status !== 0 && !(await isPublished()), wrong.output);
  const dry = release(repository, token, '--dry-run');
  expectThat('--dry-run publishes nothing', dry.status === 0 && !(await isPublished()), dry.output);
  const real = release(repository, token);
  expectThat('a release publishes', real.status === 0 && (await isPublished()), real.output);
  const again = release(repository, token);
  const known = again.status === 1 && again.output.includes(`${version} is published`);
  expectThat('a published version is refused', known, again.output);
  const outputs = [refused, wrong, dry, real, again].map(({ output }) => output).join('');
  expectThat('the token is in no output', !outputs.includes(token));
  expectThat('an empty project installs it and runs its command', install() === `${version}\n`);
}

const server = startRegistry();
try {
  await tryRelease();
} finally {
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = isGood ? 0 : 1;
