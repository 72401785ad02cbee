import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { System } from './system.ts';

const preload = fileURLToPath(new URL('clock-preload.ts', import.meta.url));
/** Time until every process has read a change. */
const propagationMs = 250;

/** A separate wall clock for processes that are started with `env`. */
export type Clock = { env: Record<string, string>; set(offsetMs: number): Promise<void> };

export async function createClock({ stack }: System, name: string): Promise<Clock> {
  const file = join(stack.dataDir.logs, `${name}.clock`);
  await writeFile(file, '0');
  return {
    env: { NODE_OPTIONS: `--import=${preload}`, FAULTS_CLOCK_FILE: file },
    set: async (offsetMs) => {
      await writeFile(file, String(offsetMs));
      await sleep(propagationMs);
    },
  };
}
