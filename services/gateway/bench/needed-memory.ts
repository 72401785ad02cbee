import { heapInUse, openInspector, residentBytesOfTree } from '@bv/measure';
import { eventually } from '@bv/testkit';
import type { Started } from './processes.ts';

/**
 * What a Node process holds after full collections, in MB (1,048,576 bytes), by the kernel's count. Without them it is
 * up to a hundred more or less by how long ago V8 had its last one, whatever is in use.
 */
export async function neededMegabytes({ pid, inspector: port }: Started): Promise<number> {
  if (port === undefined) throw new Error(`process ${pid} has no inspector`);
  process.kill(pid, 'SIGUSR1');
  const inspector = await eventually(() => openInspector(port));
  try {
    await heapInUse(inspector);
    return residentBytesOfTree(pid) / 1_048_576;
  } finally {
    inspector.close();
  }
}
