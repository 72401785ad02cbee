import type { DateWindow } from '@bv/contract';

/** The list that a cursor belongs to: the operation and the ids in its path. */
export type Collection = {
  operation: string;
  collection: readonly string[];
};

/** The state of paging from one page to the next. `limit` is never part of it. */
export type Payload = Collection & {
  /** The filters of the first page. Filters that were not sent are absent or undefined. */
  filters: Filters;
  /** The resolved window of the first page. */
  window?: DateWindow | undefined;
  /** Sort values of the last row of the page. Timestamps are text with microseconds: a Date would skip rows. */
  sort: readonly SortValue[];
  /** The change token of the first page. */
  token?: string | undefined;
};

export type Filters = Readonly<Record<string, string | undefined>>;
export type SortValue = string | number | null;
