import { isStale } from './errors.ts';
import type { ListOptions } from './options.ts';

export type Page<T> = {
  data: readonly T[];
  /** Goes on after this page; null on the last one. */
  nextCursor: string | null;
  hasMore: boolean;
  requestId: string | undefined;
  /** Number of the walk, from 1; it grows with every restart. */
  walk: number;
};

type ListInput = { limit?: number | undefined; cursor?: string | undefined };

type Walk<T> = {
  input: ListInput;
  options: ListOptions;
  load: (query: ListInput) => Promise<Omit<Page<T>, 'walk'>>;
  /** Waits before restart `n`, from 1. */
  pause: (restart: number) => Promise<void>;
};

/** A list, read page by page as it is walked. Every iteration is a walk of its own; no page is read ahead. */
export class List<T> implements AsyncIterable<T> {
  readonly #walk: Walk<T>;

  constructor(walk: Walk<T>) {
    this.#walk = walk;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const { input, options, load, pause } = this.#walk;
    const { maxRestarts = 5 } = options;
    let query = input;
    for (let walk = 1; ;) {
      let page: Page<T>;
      try {
        page = { ...(await load(query)), walk };
      } catch (error) {
        if (options.onStale !== 'restart' || walk > maxRestarts || !isStale(error)) throw error;
        options.onRestart?.();
        await pause(walk);
        walk += 1;
        query = { ...input, cursor: undefined };
        continue;
      }
      yield page;
      if (page.nextCursor === null) return;
      // Filters and window travel inside the cursor; the page size does not.
      query = { limit: input.limit, cursor: page.nextCursor };
    }
  }

  /** Every row of one walk, in memory; with `onStale: 'restart'` what came before a restart is dropped. */
  async all(): Promise<T[]> {
    const rows: T[] = [];
    let walk = 1;
    for await (const page of this.pages()) {
      if (page.walk !== walk) rows.length = 0;
      walk = page.walk;
      for (const row of page.data) rows.push(row);
    }
    return rows;
  }
}
