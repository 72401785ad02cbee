/**
 * Publishes clients/sdk to a registry. SDK_REGISTRY is its address and SDK_REGISTRY_TOKEN a token that may publish.
 * `--dry-run` does all but the upload.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packSdk, readManifest } from './pack-sdk.ts';

const root = join(import.meta.dirname, '..');

class ReleaseError extends Error {}

type Settings = { registry: string; token: string };

function readSettings(environment: Record<string, string | undefined>): Settings {
  const { SDK_REGISTRY: written = '', SDK_REGISTRY_TOKEN: token = '' } = environment;
  if (!URL.canParse(written) || !/^https?:/.test(written)) {
    throw new ReleaseError(
      'set SDK_REGISTRY to the address of the registry, such as https://npm.example.com/',
    );
  }
  if (token === '') throw new ReleaseError('set SDK_REGISTRY_TOKEN to a token that may publish');
  return { registry: written.endsWith('/') ? written : `${written}/`, token };
}

/** What is published must be a commit. */
function checkTree(): void {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changes !== '') throw new ReleaseError(`the working tree has changes:\n${changes.trimEnd()}`);
}

/** A published version never changes. The registry refuses it too, but only after the upload. */
async function checkVersion({ registry, token }: Settings, name: string, version: string): Promise<void> {
  const response = await fetch(`${registry}${name.replace('/', '%2f')}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    signal: AbortSignal.timeout(30_000),
  });
  if (response.status === 404) return;
  if (!response.ok) throw new ReleaseError(`the registry returned ${response.status} for ${name}`);
  const { versions = {} } = (await response.json()) as { versions?: Record<string, unknown> };
  if (version in versions) throw new ReleaseError(`${name} ${version} is published: raise the version`);
}

function publish({ registry, token }: Settings, tarball: string, folder: string, isDryRun: boolean): void {
  const config = join(folder, 'npmrc');
  const { host, pathname } = new URL(registry);
  // The file has the name of a variable, so the token is in no file and no argument.
  writeFileSync(config, `//${host}${pathname}:_authToken=\${SDK_REGISTRY_TOKEN}\n`);
  const args = ['publish', tarball, '--registry', registry, '--userconfig', config, '--access', 'restricted'];
  execFileSync('npm', isDryRun ? [...args, '--dry-run'] : args, {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, SDK_REGISTRY_TOKEN: token },
  });
}

async function release(args: string[]): Promise<void> {
  const unknown = args.filter((word) => word !== '--dry-run' && word !== '--');
  if (unknown.length > 0) throw new ReleaseError(`unknown: ${unknown.join(' ')}; there is only --dry-run`);
  const isDryRun = args.includes('--dry-run');
  const settings = readSettings(process.env);
  const { name, version } = readManifest();
  checkTree();
  await checkVersion(settings, name, version);
  const folder = mkdtempSync(join(tmpdir(), 'bv-sdk-release-'));
  try {
    publish(settings, packSdk(folder), folder, isDryRun);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${isDryRun ? 'checked' : 'published'} ${name} ${version} at ${settings.registry}`);
}

try {
  await release(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
