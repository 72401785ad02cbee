import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;
let collect: Collect | undefined;

/**
 * Frees what V8's young generation no longer needs. V8 itself does so only when that is full, and its size follows the
 * load of the whole process: up to 64 MB, and half as much again outside of the heap for tiny buffers.
 */
export function collectYoungGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
  }
  collect({ type: 'minor' });
}
