import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type DateWindow } from '@bv/contract';
import type { PageRequest } from '@bv/pagination';
import { type Transaction, transaction } from '@bv/postgres';
import type { Context } from '../context.ts';
import { findBrandToken } from '../db/brands.ts';
import { everyDay } from '../db/retention.ts';
import type { UnitFilters, UnitKey, UnitPage } from '../db/unit-lists.ts';
import { type KeptDays, toKeptFrom } from '../domain/retention.ts';

type Filters = { platform?: string | undefined; country?: string | undefined };
type WindowedPage = PageRequest<Filters, DateWindow>;

/** The window and the filters of a page as SQL parameters: null instead of undefined. */
export function toUnitFilters({ window, filters }: WindowedPage): UnitFilters {
  return { ...window, platform: filters.platform ?? null, country: filters.country ?? null };
}

/** `gap` as a filter. A first page stores it, so that a later page with another value is recognised. */
export const toGapFilter = ({ cursor, gap }: { cursor?: string | undefined; gap?: string | undefined }) =>
  cursor === undefined ? (gap ?? 'false') : gap;

/** The page of units that a request reads, with the extra row. It begins no earlier than the days that are kept. */
export function toUnitPage(page: WindowedPage, kept: KeptDays): UnitPage {
  const filters = toUnitFilters(page);
  const from = toKeptFrom(kept, filters.from);
  return { ...filters, from, after: toUnitKey(page), limit: page.limit + 1 };
}

function toUnitKey({ sort }: WindowedPage): UnitKey | null {
  if (sort === null) return null;
  return { runDate: String(sort[0]), finalizedAt: String(sort[1]), id: String(sort[2]) };
}

/** A read without a page is like a first page. */
type ConsistentRead = { page: { token?: string | undefined }; brandId: string; preferIndexScan?: boolean };

const maxRetries = 3;
const retryDelayMs = 150;

/**
 * Reads a page of scan results and the brand's change token in one snapshot.
 * First page: retries briefly while a scan is being finalised, then throws `409 scan_in_progress`. Later pages: throws
 * `invalid_cursor` with reason `stale` if the token has changed. `preferIndexScan` is for rows in the order of an index.
 */
export async function readConsistentPage<T>(
  ctx: Context,
  { page, brandId, preferIndexScan = false }: ConsistentRead,
  read: (tx: Transaction, kept: KeptDays) => Promise<T>,
): Promise<{ result: T; token: string }> {
  for (let attempt = 0; attempt <= maxRetries; attempt += 1) {
    if (attempt > 0) await sleep(retryDelayMs);
    const snapshot = await transaction(
      ctx.pool,
      async (tx) => {
        const current = await findBrandToken(tx, brandId);
        const token = String(current?.version ?? 0);
        if (page.token !== undefined && page.token !== token) {
          throw new ApiError('invalid_cursor', { details: { reason: 'stale' } });
        }
        if (page.token === undefined && current?.finalising) return undefined;
        return { result: await read(tx, current ?? everyDay), token };
      },
      { isolation: 'repeatable read', readOnly: true, preferIndexScan },
    );
    if (snapshot !== undefined) return snapshot;
  }
  throw new ApiError('scan_in_progress', { retryAfterSeconds: 5 });
}
