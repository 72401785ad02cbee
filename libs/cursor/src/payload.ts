/** What a walk carries from page to page. `limit` is never part of it. */
export type Payload = Collection & {
  /** The filters the walk started with; those that were not sent are absent or undefined. */
  filters: Readonly<Record<string, string | undefined>>;
  /** The resolved window of the first page. */
  window?: Window;
  /** Sort values of the last row served. Timestamps are text with microseconds: a Date would lose rows. */
  sort: readonly SortValue[];
  /** The change token the walk reads at. */
  token?: string;
};

/** Whose cursor it is: the operation, and every id that says which list. */
export type Collection = {
  operation: string;
  collection: readonly string[];
};

export type Window = { from: string; to: string };
export type SortValue = string | number | null;
