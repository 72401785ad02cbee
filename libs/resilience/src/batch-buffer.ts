import { createNotifier } from '@bv/lifecycle';

export type BatchBuffer<Item> = {
  /** Waits while a whole batch is pending already. The item may not have been processed when this resolves. */
  add(item: Item): Promise<void>;
  /** Processes what is pending. */
  stop(): Promise<void>;
};

type BatchBufferOptions = { maxBatchSize: number; maxWaitMs: number };

/** Collects items until there are `maxBatchSize`, or until the first has waited `maxWaitMs`. One batch at a time. */
export function createBatchBuffer<Item>(
  { maxBatchSize, maxWaitMs }: BatchBufferOptions,
  processBatch: (items: Item[]) => Promise<void>,
): BatchBuffer<Item> {
  let pending: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const room = createNotifier();

  const start = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (running !== undefined || pending.length === 0) return;
    const batch = pending;
    pending = [];
    running = processBatch(batch).finally(() => {
      running = undefined;
      // Items that arrived meanwhile have waited at least as long as the batch took.
      start();
    });
    room.wake();
  };
  return {
    add: async (item) => {
      while (pending.length >= maxBatchSize) await room.wait(1_000);
      pending.push(item);
      if (pending.length >= maxBatchSize) start();
      else timer ??= setTimeout(start, maxWaitMs);
    },
    stop: async () => {
      start();
      while (running !== undefined) await running;
    },
  };
}
