import { createNotifier } from '@bv/lifecycle';
import type { Held } from './apply.ts';

/** Gathers messages until there are `size` of them or the first has waited `maxWaitMs`. One batch at a time. */
export type Batcher = {
  /** Waits while a whole batch is held back already. */
  add(held: Held): Promise<void>;
  /** Applies what is pending. */
  stop(): Promise<void>;
};

export function createBatcher(
  options: { size: number; maxWaitMs: number },
  apply: (held: Held[]) => Promise<void>,
): Batcher {
  const { size, maxWaitMs } = options;
  let pending: Held[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const room = createNotifier();

  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (running !== undefined || pending.length === 0) return;
    const taken = pending;
    pending = [];
    running = apply(taken).finally(() => {
      running = undefined;
      // What came in meanwhile has waited at least as long as the batch took.
      start();
    });
    room.wake();
  };
  return {
    add: async (held) => {
      while (pending.length >= size) await room.wait(1_000);
      pending.push(held);
      if (pending.length >= size) start();
      else timer ??= setTimeout(start, maxWaitMs);
    },
    stop: async () => {
      start();
      while (running !== undefined) await running;
    },
  };
}
