import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type DateWindow, type Pagination, resolveWindow } from '@bv/contract';
import { readCursor, type SortValue } from '@bv/cursor';
import { type Transaction, transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { findBrandToken } from '../db/brand-tokens.ts';

type Filters = { platform?: string | undefined; country?: string | undefined };
type SortKey = readonly SortValue[];

/** Where a request stands in a walk over a windowed list. */
export type Walk = {
  operation: string;
  collection: string[];
  filters: Filters;
  window: DateWindow;
  /** Sort tuple of the last row of the page before; null on the first page. */
  sort: SortKey | null;
  /** Change token the walk started under; only lists that read scan results carry one. */
  token: string | undefined;
};

/** The current day, UTC. */
export const todayOf = ({ now }: Context): string => now().toISOString().slice(0, 10);

/** Its filters as the statements take them. */
export const filtersOf = ({ filters }: Walk) => ({
  platform: filters.platform ?? null,
  country: filters.country ?? null,
});

type WalkRequest = {
  operation: string;
  /** Ids of the collection the list belongs to. */
  collection: string[];
  query: Filters & { cursor?: string | undefined; from?: string | undefined; to?: string | undefined };
  maxDays: number;
  /** Filters that choose between series of their own, as `country` does for scores. */
  seriesFilters?: ('platform' | 'country')[];
};

/** Starts a walk or goes on with the one its cursor names. Throws `invalid_cursor` or a window's refusal. */
export function openWalk(ctx: Context, request: WalkRequest): Walk {
  const { operation, collection, query, maxDays } = request;
  const { platform, country, from, to } = query;
  if (query.cursor === undefined) {
    const window = resolveWindow({ from, to }, todayOf(ctx), maxDays);
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
 * The page out of `limit + 1` rows, with the cursor of the next one.
 * `sortKey` gives a row's sort tuple; `token` is what a later page must still find.
 */
export function pageOf<Row>(
  ctx: Context,
  walk: Walk,
  read: { rows: Row[]; limit: number; token?: string; sortKey: (row: Row) => SortKey },
): { rows: Row[]; pagination: Pagination } {
  const rows = read.rows.slice(0, read.limit);
  const last = rows.at(-1);
  if (read.rows.length <= read.limit || last === undefined) {
    return { rows, pagination: { next_cursor: null, has_more: false } };
  }
  const next_cursor = ctx.cursors.encode({
    operation: walk.operation,
    collection: walk.collection,
    filters: walk.filters,
    window: walk.window,
    sort: read.sortKey(last),
    ...(read.token === undefined ? {} : { token: read.token }),
  });
  return { rows, pagination: { next_cursor, has_more: true } };
}

const RETRIES = 3;
const RETRY_PAUSE_MS = 150;

/**
 * Reads a page of scan results and the brand's change token in one snapshot.
 * First page: waits briefly for an open finalisation, then `409 scan_in_progress`. Later pages: `invalid_cursor`
 * with reason `stale` where the token is no longer the walk's. `inIndexOrder`: of rows in an index's order.
 */
export async function readUnderToken<T>(
  ctx: Context,
  { walk, brandId, inIndexOrder = false }: { walk: Walk; brandId: string; inIndexOrder?: boolean },
  read: (tx: Transaction) => Promise<T>,
): Promise<{ result: T; token: string }> {
  for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
    if (attempt > 0) await sleep(RETRY_PAUSE_MS);
    const page = await transaction(
      ctx.pool,
      async (tx) => {
        const current = await findBrandToken(tx, brandId);
        const token = String(current?.version ?? 0);
        if (walk.token !== undefined && walk.token !== token) {
          throw new ApiError('invalid_cursor', { details: { reason: 'stale' } });
        }
        if (walk.token === undefined && current?.finalising) return undefined;
        return { result: await read(tx), token };
      },
      { isolation: 'repeatable read', readOnly: true, inIndexOrder },
    );
    if (page !== undefined) return page;
  }
  throw new ApiError('scan_in_progress', { retryAfterSeconds: 5 });
}
