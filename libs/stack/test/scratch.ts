import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';

type Cleanup = () => Promise<unknown> | undefined;

const cleanups: Cleanup[] = [];
afterEach(async () => {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
});

/** Done after the test, the last registered first. */
export function afterwards(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** A directory of the test's own that other users can pass, gone after it. */
export async function scratchDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'bv-stack-'));
  await chmod(dir, 0o755);
  afterwards(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Collects what is said. */
export function listener(): { say: (line: string) => void; lines: string[] } {
  const lines: string[] = [];
  return { say: (line) => lines.push(line), lines };
}
