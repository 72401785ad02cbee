import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { dataStoreTitles, type DataStoreId } from './data-server.ts';

const run = promisify(execFile);

export type Binary = { id: DataStoreId; path: string; version: string };

/** The oldest versions that have the features the services use. */
const minimumVersions: Record<DataStoreId, [number, number, number]> = {
  postgres: [15, 0, 0],
  redis: [7, 0, 0],
  nats: [2, 9, 4],
};

/** `sbin` is often missing from a user's PATH. Debian installs each PostgreSQL version in a separate directory. */
async function searchPaths(id: DataStoreId): Promise<string[]> {
  const usual = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/opt/homebrew/bin'];
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((dir) => dir !== '');
  if (id !== 'postgres') return resolveAll([...path, ...usual]);
  const debian = (await readdir('/usr/lib/postgresql').catch(() => []))
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join('/usr/lib/postgresql', version, 'bin'));
  return [...debian, ...path, ...usual];
}

/** Without repetitions: `/bin` is often a link to `/usr/bin`. */
async function resolveAll(dirs: string[]): Promise<string[]> {
  return [...new Set(await Promise.all(dirs.map((dir) => realpath(dir).catch(() => dir))))];
}

const commands: Record<DataStoreId, string> = {
  postgres: 'postgres',
  redis: 'redis-server',
  nats: 'nats-server',
};

async function executable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * `postgres` needs `initdb` in the same folder, so a link on PATH is resolved.
 * A link to Redis is not resolved: one binary acts as several programs, depending on its name.
 */
async function usablePath(id: DataStoreId, candidate: string): Promise<string | undefined> {
  if (!(await executable(candidate))) return undefined;
  if (id !== 'postgres') return candidate;
  const path = await realpath(candidate);
  return (await executable(join(dirname(path), 'initdb'))) ? path : undefined;
}

async function readVersion(path: string): Promise<string | undefined> {
  const { stdout, stderr } = await run(path, ['--version'], { timeout: 5_000 });
  return /\d+\.\d+(\.\d+)?/.exec(stdout + stderr)?.[0];
}

function isRecentEnough(id: DataStoreId, version: string): boolean {
  const have = version.split('.').map(Number);
  for (const [index, wanted] of minimumVersions[id].entries()) {
    const part = have[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

/** Every usable binary of a data store on this machine, the preferred one first. */
export async function findBinaries(id: DataStoreId): Promise<Binary[]> {
  const found: Binary[] = [];
  for (const dir of await searchPaths(id)) {
    const path = await usablePath(id, join(dir, commands[id]));
    if (path === undefined || found.some((binary) => binary.path === path)) continue;
    const version = await readVersion(path).catch(() => undefined);
    if (version !== undefined && isRecentEnough(id, version)) found.push({ id, path, version });
  }
  return found;
}

export function describeBinary({ id, version }: Binary): string {
  return `${dataStoreTitles[id]} ${version}`;
}
