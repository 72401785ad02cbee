/**
 * Hands items on in groups: one group is at work while the next one gathers, so under load many items share a
 * transaction and without load none waits. Each caller learns the outcome of its own group.
 */
export function createGroupCommit<Item, Outcome>(options: {
  maxGroup: number;
  work: (items: readonly Item[]) => Promise<Outcome>;
}): (item: Item) => Promise<Outcome> {
  const { maxGroup, work } = options;
  type Waiting = { item: Item; resolve: (outcome: Outcome) => void; reject: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let running = false;

  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, maxGroup);
      waiting = waiting.slice(maxGroup);
      try {
        const outcome = await work(group.map(({ item }) => item));
        for (const { resolve } of group) resolve(outcome);
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
