import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine, isReachableBy, postgresIdentity, signalQuietly, waitUntil } from '@bv/stack';

const prefix = 'bv-test-';

/** A directory for one test run, which PostgreSQL's own user can reach. */
export async function createRunDir(): Promise<string> {
  const reachable = await isReachableBy(await postgresIdentity(), tmpdir());
  const runDir = await mkdtemp(join(reachable ? tmpdir() : '/var/tmp', prefix));
  await chmod(runDir, 0o755);
  await mkdir(join(runDir, 'pids'));
  await writeFile(join(runDir, 'owner'), String(process.pid));
  return runDir;
}

/** So that the run's end also ends what a killed test file left running. */
export async function recordProcess(runDir: string, pid: number): Promise<void> {
  await mkdir(join(runDir, 'pids'), { recursive: true });
  await writeFile(join(runDir, 'pids', String(pid)), '');
}

/** Ends the recorded processes that are still ours by their command line, then removes the directory. */
export async function removeRunDir(runDir: string): Promise<void> {
  const pids = (await readdir(join(runDir, 'pids')).catch(() => [])).map(Number);
  const ours = async (pid: number): Promise<boolean> => (await commandLine(pid))?.includes(runDir) ?? false;
  for (const pid of pids) {
    if (!(await ours(pid))) continue;
    signalQuietly(-pid, 'SIGKILL');
    await waitUntil(async () => !(await ours(pid)), { timeoutMs: 5_000 });
  }
  await rm(runDir, { recursive: true, force: true, maxRetries: 5 });
}

/** Clears away what earlier runs left that were killed before they could clean up. */
export async function removeAbandonedRunDirs(): Promise<void> {
  for (const parent of new Set([tmpdir(), '/var/tmp'])) {
    for (const name of await readdir(parent).catch(() => [])) {
      if (!name.startsWith(prefix)) continue;
      const runDir = join(parent, name);
      const owner = Number(await readFile(join(runDir, 'owner'), 'utf8').catch(() => ''));
      if (!(owner > 1)) continue;
      if ((await commandLine(owner))?.includes('data-stores.ts') !== true) await removeRunDir(runDir);
    }
  }
}
