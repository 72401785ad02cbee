import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  endRecordedProcesses,
  isReachableBy,
  postgresIdentity,
  recordProcess,
  runningProcesses,
} from '@bv/local-stack';

const prefix = 'bv-test-';

/** Directories with the records of the process that owns the run, and of the servers it started. */
const ownerDir = (runDir: string): string => join(runDir, 'owner');
const serversDir = (runDir: string): string => join(runDir, 'servers');

/** Creates the directory of one test run, in a place that PostgreSQL's user can reach. */
export async function createRunDir(): Promise<string> {
  const reachable = await isReachableBy(await postgresIdentity(), tmpdir());
  const runDir = await mkdtemp(join(reachable ? tmpdir() : '/var/tmp', prefix));
  await chmod(runDir, 0o755);
  recordProcess(ownerDir(runDir), { name: 'owner', pid: process.pid });
  return runDir;
}

/** Records a server, so that the end of the run also stops servers of test files that were killed. */
export function recordServer(runDir: string, name: string, pid: number): void {
  recordProcess(serversDir(runDir), { name, pid, stopSignal: 'SIGKILL' });
}

export async function removeRunDir(runDir: string): Promise<void> {
  await endRecordedProcesses(serversDir(runDir), { timeoutMs: 5_000 });
  await rm(runDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Removes the directories and servers of earlier runs that were killed before they could clean up. */
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
