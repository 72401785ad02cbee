import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  endRecordedProcesses,
  isReachableBy,
  postgresIdentity,
  recordProcess,
  runningProcesses,
} from '@bv/stack';

const prefix = 'bv-test-';

/** Where the process that owns the run and the servers started for it are recorded. */
const ownerDir = (runDir: string): string => join(runDir, 'owner');
const serversDir = (runDir: string): string => join(runDir, 'servers');

/** A directory for one test run, which PostgreSQL's own user can reach. */
export async function createRunDir(): Promise<string> {
  const reachable = await isReachableBy(await postgresIdentity(), tmpdir());
  const runDir = await mkdtemp(join(reachable ? tmpdir() : '/var/tmp', prefix));
  await chmod(runDir, 0o755);
  recordProcess(ownerDir(runDir), { name: 'owner', pid: process.pid });
  return runDir;
}

/** So that the run's end also ends what a killed test file left running. */
export function recordServer(runDir: string, name: string, pid: number): void {
  recordProcess(serversDir(runDir), { name, pid, stopSignal: 'SIGKILL' });
}

export async function removeRunDir(runDir: string): Promise<void> {
  await endRecordedProcesses(serversDir(runDir), { timeoutMs: 5_000 });
  await rm(runDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Clears away what earlier runs left that were killed before they could clean up. */
export async function removeAbandonedRunDirs(): Promise<void> {
  for (const parent of new Set([tmpdir(), '/var/tmp'])) {
    for (const name of await readdir(parent).catch(() => [])) {
      const runDir = join(parent, name);
      if (!name.startsWith(prefix) || (await readdir(ownerDir(runDir)).catch(() => [])).length === 0)
        continue;
      if (runningProcesses(ownerDir(runDir)).length === 0) await removeRunDir(runDir);
    }
  }
}
