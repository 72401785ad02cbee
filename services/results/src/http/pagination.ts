import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type DateWindow, type Pagination, resolveWindow } from '@bv/contract';
import { readCursor, type SortValue } from '@bv/cursor';
import { type Transaction, transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { findBrandToken } from '../db/brand-tokens.ts';
import type { UnitKey } from '../db/unit-lists.ts';

type Filters = { platform?: string | undefined; country?: string | undefined };
type SortKey = readonly SortValue[];

/** A validated request for one page of a windowed list. */
export type PageRequest = {
  operation: string;
  collection: string[];
  filters: Filters;
  window: DateWindow;
  /** Sort tuple of the last row of the previous page; null for the first page. */
  sort: SortKey | null;
  /** Change token of the first page. Only lists that read scan results have one. */
  token: string | undefined;
};

/** The current day in UTC, as YYYY-MM-DD. */
export const getToday = ({ now }: Context): string => now().toISOString().slice(0, 10);

/** The filters as SQL parameters: null instead of undefined. */
export const toSqlFilters = ({ filters }: PageRequest) => ({
  platform: filters.platform ?? null,
  country: filters.country ?? null,
});

/** The last unit of the previous page; null for the first page. Throws `invalid_cursor`. */
export function parseUnitPosition(pageRequest: PageRequest): UnitKey | null {
  if (pageRequest.sort === null) return null;
  const [runDate, finalizedAt, id] = pageRequest.sort;
  if (typeof runDate !== 'string' || typeof finalizedAt !== 'string' || typeof id !== 'string') {
    throw new ApiError('invalid_cursor');
  }
  return { runDate, finalizedAt, id };
}

type PageOptions = {
  operation: string;
  /** Ids of the collection that the cursor is bound to. */
  collection: string[];
  query: Filters & { cursor?: string | undefined; from?: string | undefined; to?: string | undefined };
  maxDays: number;
  /** Filters that select a separate series, such as `country` of scores. */
  seriesFilters?: ('platform' | 'country')[];
};

/**
 * Reads the page from the cursor, or the first page from the query. Throws `invalid_cursor` or the validation error of
 * the window.
 */
export function parsePage(ctx: Context, request: PageOptions): PageRequest {
  const { operation, collection, query, maxDays } = request;
  const { platform, country, from, to } = query;
  if (query.cursor === undefined) {
    const window = resolveWindow({ from, to }, getToday(ctx), maxDays);
    return { operation, collection, filters: { platform, country }, window, sort: null, token: undefined };
  }
  const cursor = readCursor(ctx.cursors, {
    cursor: query.cursor,
    operation,
    collection,
    filters: { platform, country },
    window: { from, to },
    ...(request.seriesFilters === undefined ? {} : { seriesFilters: request.seriesFilters }),
  });
  if (cursor.window === undefined) throw new ApiError('invalid_cursor');
  return {
    operation,
    collection,
    filters: cursor.filters,
    window: cursor.window,
    sort: cursor.sort,
    token: cursor.token,
  };
}

/**
 * Builds the page from `limit + 1` rows, with the cursor of the next page.
 * `sortKey` returns the sort tuple of a row. `token` is the change token that later pages must find unchanged.
 */
export function buildPage<Row>(
  ctx: Context,
  pageRequest: PageRequest,
  read: { rows: Row[]; limit: number; token?: string; sortKey: (row: Row) => SortKey },
): { rows: Row[]; pagination: Pagination } {
  const rows = read.rows.slice(0, read.limit);
  const last = rows.at(-1);
  if (read.rows.length <= read.limit || last === undefined) {
    return { rows, pagination: { next_cursor: null, has_more: false } };
  }
  const next_cursor = ctx.cursors.encode({
    operation: pageRequest.operation,
    collection: pageRequest.collection,
    filters: pageRequest.filters,
    window: pageRequest.window,
    sort: read.sortKey(last),
    ...(read.token === undefined ? {} : { token: read.token }),
  });
  return { rows, pagination: { next_cursor, has_more: true } };
}

type ConsistentRead = { pageRequest: PageRequest; brandId: string; preferIndexScan?: boolean };

const maxRetries = 3;
const retryDelayMs = 150;

/**
 * Reads a page of scan results and the brand's change token in one snapshot.
 * First page: retries briefly while a scan is being finalised, then throws `409 scan_in_progress`. Later pages: throws
 * `invalid_cursor` with reason `stale` if the token has changed. `preferIndexScan` is for rows in the order of an index.
 */
export async function readConsistentPage<T>(
  ctx: Context,
  { pageRequest, brandId, preferIndexScan = false }: ConsistentRead,
  read: (tx: Transaction) => Promise<T>,
): Promise<{ result: T; token: string }> {
  for (let attempt = 0; attempt <= maxRetries; attempt += 1) {
    if (attempt > 0) await sleep(retryDelayMs);
    const page = await transaction(
      ctx.pool,
      async (tx) => {
        const current = await findBrandToken(tx, brandId);
        const token = String(current?.version ?? 0);
        if (pageRequest.token !== undefined && pageRequest.token !== token) {
          throw new ApiError('invalid_cursor', { details: { reason: 'stale' } });
        }
        if (pageRequest.token === undefined && current?.finalising) return undefined;
        return { result: await read(tx), token };
      },
      { isolation: 'repeatable read', readOnly: true, preferIndexScan },
    );
    if (page !== undefined) return page;
  }
  throw new ApiError('scan_in_progress', { retryAfterSeconds: 5 });
}
