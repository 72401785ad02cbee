import { heapInUse, openInspector, residentBytesOfTree } from '@bv/measure';
import { eventually } from '@bv/testkit';
import type { Started } from './processes.ts';

/** A Node process and the port of its inspector, which SIGUSR1 opens. */
export type Inspected = Started & { inspector: number };

/**
 * Resident memory of a process after full collections, in bytes. Without them it varies by up to 100 MB with the time
 * since the last collection.
 */
export async function retainedHeapBytes({ pid, inspector: port }: Inspected): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const inspector = await eventually(() => openInspector(port));
  try {
    await heapInUse(inspector);
    return residentBytesOfTree(pid);
  } finally {
    inspector.close();
  }
}
