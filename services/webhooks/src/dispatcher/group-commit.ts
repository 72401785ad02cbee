/**
 * Processes items in groups. While one group is processed, the next one fills. Under load many items share a
 * transaction, without load no item waits. Each caller receives the result of its group.
 */
export function createGroupCommit<Item, Result>(options: {
  maxGroup: number;
  work: (items: readonly Item[]) => Promise<Result>;
}): (item: Item) => Promise<Result> {
  const { maxGroup, work } = options;
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let running = false;

  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxGroup);
      waiting = waiting.slice(maxGroup);
      try {
        const result = await work(group.map(({ item }) => item));
        for (const { resolve } of group) resolve(result);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void run();
    });
}
