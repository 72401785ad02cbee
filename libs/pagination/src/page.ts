import { ApiError, type DateWindow, type Pagination, resolveWindow } from '@bv/contract';
import type { CursorCodec } from './codec.ts';
import type { Collection, Filters, SortValue } from './payload.ts';

/** A list and its filters. Filters that were not sent are undefined. */
type List<F extends Filters> = Collection & { filters?: F };

/** A list with a window of dates. */
type WindowedList<F extends Filters> = Collection & {
  filters: F;
  /** Filters that select a separate series, such as `country` of scores. */
  seriesFilters?: readonly (keyof F)[];
  /** The current day in UTC, as YYYY-MM-DD. */
  today: string;
  maxDays: number;
};

type Query = { cursor?: string | undefined; limit: number };
type WindowQuery = Query & { from?: string | undefined; to?: string | undefined };

/** A validated request for one page. A query reads `limit + 1` rows: the extra row shows that another page follows. */
export type PageRequest<F extends Filters = Filters, Window = undefined> = Collection & {
  limit: number;
  /** The filters of the first page. */
  filters: F;
  /** The window of the first page. Undefined on lists without a window. */
  window: Window;
  /** Sort values of the last row of the previous page. Null for the first page. */
  sort: readonly SortValue[] | null;
  /** The change token of the first page. */
  token: string | undefined;
};

/** Throws `invalid_cursor` if the cursor belongs to another list, or if a sent filter differs from the first page. */
export function parsePage<F extends Filters>(
  codec: CursorCodec,
  { operation, collection, filters = {} as F }: List<F>,
  { cursor, limit }: Query,
): PageRequest<F> {
  const list = { operation, collection };
  if (cursor === undefined) {
    return { ...list, limit, filters, window: undefined, sort: null, token: undefined };
  }
  return { ...list, limit, ...readCursor(codec, { ...list, filters, cursor }) };
}

/** As `parsePage`. Also throws `invalid_cursor` if `from` or `to` differs, or the validation error of the first window. */
export function parseWindowedPage<F extends Filters>(
  codec: CursorCodec,
  { operation, collection, filters, seriesFilters = [], today, maxDays }: WindowedList<F>,
  { cursor, limit, from, to }: WindowQuery,
): PageRequest<F, DateWindow> {
  const list = { operation, collection };
  const sent = { from, to };
  if (cursor === undefined) {
    const window = resolveWindow(sent, today, maxDays);
    return { ...list, limit, filters, window, sort: null, token: undefined };
  }
  return { ...list, limit, ...readCursor(codec, { ...list, filters, window: sent, seriesFilters, cursor }) };
}

type SentWindow = { from?: string | undefined; to?: string | undefined };

type CursorRequest<F extends Filters, Sent extends SentWindow | undefined> = Collection & {
  cursor: string;
  /** Every filter of the list, normalised; undefined if it was not sent. */
  filters: F;
  /** `from` and `to` as sent, on lists with a date window. */
  window?: Sent;
  /**
   * Filters that select a separate series (`country` of the scores). If one is sent but the cursor has none, the
   * cursor belongs to another collection and is rejected without details.
   */
  seriesFilters?: readonly (keyof F)[];
};

type CursorState<F, Sent> = {
  /** The filters of the first page. */
  filters: F;
  window: Sent extends undefined ? undefined : DateWindow;
  sort: readonly SortValue[];
  token: string | undefined;
};

/**
 * Decrypts a cursor and compares the request with it. Only parameters that were sent are compared.
 * Throws `invalid_cursor`: with details for a changed filter or window, otherwise without.
 */
export function readCursor<F extends Filters, Sent extends SentWindow | undefined = undefined>(
  codec: CursorCodec,
  request: CursorRequest<F, Sent>,
): CursorState<F, Sent> {
  const { operation, collection } = request;
  const state = codec.decode(request.cursor, { operation, collection });
  checkFilters(request.filters, state.filters, request.seriesFilters ?? []);
  checkWindow(request.window, state.window);
  return {
    // The cursor is authenticated, so these values were validated for the first page.
    filters: state.filters as F,
    window: state.window as CursorState<F, Sent>['window'],
    sort: state.sort,
    token: state.token,
  };
}

function checkFilters(sent: Filters, first: Filters, series: readonly PropertyKey[]): void {
  const repeated = Object.entries(sent).filter(([, value]) => value !== undefined);
  for (const [name] of repeated) {
    if (series.includes(name) && first[name] === undefined) throw new ApiError('invalid_cursor');
  }
  for (const [name, value] of repeated) {
    if (value === first[name]) continue;
    throw new ApiError('invalid_cursor', { details: { reason: 'filter_changed', parameter: name } });
  }
}

function checkWindow(sent: SentWindow | undefined, first: DateWindow | undefined): void {
  if (!sent) return;
  // A cursor of this list always has a window.
  if (!first) throw new ApiError('invalid_cursor');
  const isChanged =
    (sent.from !== undefined && sent.from !== first.from) || (sent.to !== undefined && sent.to !== first.to);
  if (isChanged) throw new ApiError('invalid_cursor', { details: { reason: 'window_changed' } });
}

type PageRows<Row, Data> = {
  /** Up to `limit + 1` rows. A page that ends early, by its size, has `has_next` in its last row. */
  rows: readonly Row[];
  toSortKey: (row: Row) => readonly SortValue[];
  present: (row: Row) => Data;
  /** The change token that later pages must find unchanged. */
  token?: string;
};

/** The response of a list: the rows of the page, and the cursor of the next page if there is one. */
export function buildPage<Row extends object, Data>(
  codec: CursorCodec,
  request: PageRequest<Filters, DateWindow | undefined>,
  { rows, toSortKey, present, token }: PageRows<Row, Data>,
): { data: Data[]; pagination: Pagination } {
  const pageRows = rows.slice(0, request.limit);
  const last = pageRows.at(-1);
  const endsEarly = last !== undefined && 'has_next' in last && last.has_next === true;
  const hasMore = last !== undefined && (endsEarly || rows.length > request.limit);
  const next_cursor = hasMore ? codec.encode({ ...request, sort: toSortKey(last), token }) : null;
  return { data: pageRows.map(present), pagination: { next_cursor, has_more: hasMore } };
}

/** The id after which the page starts in a list ordered by id. Null for the first page. */
export function toIdPosition({ sort }: Pick<PageRequest, 'sort'>): string | null {
  return sort === null ? null : String(sort[0]);
}

/** The row after which the page starts in a list ordered by creation and id. Null for the first page. */
export function toCreatedAtPosition({
  sort,
}: Pick<PageRequest, 'sort'>): { createdAt: string; id: string } | null {
  return sort === null ? null : { createdAt: String(sort[0]), id: String(sort[1]) };
}
