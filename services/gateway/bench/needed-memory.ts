import { heapInUse, openInspector, residentBytesOfTree } from '@bv/measure';
import { eventually } from '@bv/testkit';
import type { Started } from './processes.ts';

/** A Node process, and the port on which its inspector opens when it is asked to. */
export type Inspected = Started & { inspector: number };

/**
 * What a process holds after full collections, in bytes, by the kernel's count. Without them it is up to a hundred MB
 * more or less by how long ago V8 had its last one, whatever is in use.
 */
export async function neededBytes({ pid, inspector: port }: Inspected): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const inspector = await eventually(() => openInspector(port));
  try {
    await heapInUse(inspector);
    return residentBytesOfTree(pid);
  } finally {
    inspector.close();
  }
}
