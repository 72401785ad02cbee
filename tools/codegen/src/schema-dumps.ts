import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createDatabase } from '@bv/testkit';

const run = promisify(execFile);
const timeoutMs = 60_000;

async function pgDump(): Promise<string> {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? await readdir(base) : [];
  const installed = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(base, version, 'bin', 'pg_dump'))
    .find((path) => existsSync(path));
  return installed ?? 'pg_dump';
}

/** Removes lines that differ by server and tool version and do not describe the schema. */
const isSchema = (line: string): boolean =>
  !/^(--|SET |SELECT pg_catalog\.|\\|$)/.test(line) && !line.startsWith('CREATE SCHEMA');

/** Without partitions: they are as their table. */
async function dump(command: string, url: string, service: string): Promise<string> {
  const scope = [`--schema=${service}`, '--exclude-table=*.*_p[0-9]*'];
  const args = ['--schema-only', '--no-owner', '--no-privileges', ...scope, url];
  const { stdout } = await run(command, args, { timeout: timeoutMs, maxBuffer: 16 * 1024 * 1024 });
  return `${stdout.split('\n').filter(isSchema).join('\n')}\n`;
}

/** The schema of every service as its migrations leave it on an empty database. */
export async function schemaDumps(root: string): Promise<[service: string, dump: string][]> {
  const script = join(root, 'tools/testkit/src/jest/data-stores.ts');
  const stores = spawn(process.execPath, ['--conditions=@bv/source', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(stores.stdout), 'line')) as [string];
    const { postgresUrl, runDir } = JSON.parse(line) as { postgresUrl: string; runDir: string };
    Object.assign(process.env, { TEST_POSTGRES_URL: postgresUrl, TEST_RUN_DIR: runDir });
    const command = await pgDump();
    const dumps: [string, string][] = [];
    for (const service of ['catalog', 'gateway', 'results', 'scans', 'webhooks']) {
      const database = await createDatabase(service);
      dumps.push([service, await dump(command, database.adminUrl, service)]);
      await database.drop();
    }
    return dumps;
  } finally {
    stores.stdin.end();
    await once(stores, 'exit');
  }
}
