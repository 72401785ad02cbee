import { isStale } from './errors.ts';
import type { ListOptions } from './options.ts';

export type Page<T> = {
  data: readonly T[];
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null;
  hasMore: boolean;
  requestId: string | undefined;
  /** Number of the pass over the list, from 1. Every restart increments it. */
  walk: number;
};

type ListInput = { limit?: number | undefined; cursor?: string | undefined };

type ListSource<T> = {
  input: ListInput;
  options: ListOptions;
  load: (query: ListInput) => Promise<Omit<Page<T>, 'walk'>>;
  /** Waits before a restart. `restart` counts from 1. */
  waitForRestart: (restart: number) => Promise<void>;
};

/** A list that reads pages during iteration and never in advance. Every iteration starts at the first page. */
export class List<T> implements AsyncIterable<T> {
  readonly #source: ListSource<T>;

  constructor(source: ListSource<T>) {
    this.#source = source;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  pages(): AsyncGenerator<Page<T>, void, undefined> {
    return this.#pages('throw');
  }

  async *#pages(byDefault: 'restart' | 'throw'): AsyncGenerator<Page<T>, void, undefined> {
    const { input, options, load, waitForRestart } = this.#source;
    const { maxRestarts = 5, onStale = byDefault } = options;
    let query = input;
    for (let walk = 1; ;) {
      let page: Page<T>;
      try {
        page = { ...(await load(query)), walk };
      } catch (error) {
        if (onStale !== 'restart' || walk > maxRestarts || !isStale(error)) throw error;
        options.onRestart?.();
        await waitForRestart(walk);
        walk += 1;
        query = { ...input, cursor: undefined };
        continue;
      }
      yield page;
      if (page.nextCursor === null) return;
      // The cursor contains filters and window, but not the page size.
      query = { limit: input.limit, cursor: page.nextCursor };
    }
  }

  /** Returns one page: the first, or that of `cursor`. */
  async page(): Promise<Page<T>> {
    // A list has at least one page.
    const { value } = (await this.pages().next()) as IteratorYieldResult<Page<T>>;
    return value;
  }

  /** Returns all rows in memory, each once. Reads again what a scan has changed, unless `onStale` is `throw`. */
  async all(): Promise<T[]> {
    const rows: T[] = [];
    let walk = 1;
    for await (const page of this.#pages('restart')) {
      if (page.walk !== walk) rows.length = 0;
      walk = page.walk;
      for (const row of page.data) rows.push(row);
    }
    return rows;
  }
}
