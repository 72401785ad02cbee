import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';

type Cleanup = () => Promise<unknown> | undefined;

const cleanups: Cleanup[] = [];
afterEach(async () => {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
});

/** Runs after the test, the last registered first. */
export function afterwards(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** Creates a directory that other users can traverse. It is removed after the test. */
export async function scratchDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'bv-stack-'));
  await chmod(dir, 0o755);
  afterwards(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Collects the reported lines. */
export function createTestReporter(): { report: (line: string) => void; lines: string[] } {
  const lines: string[] = [];
  return { report: (line) => lines.push(line), lines };
}
