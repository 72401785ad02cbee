import type { Pagination } from '@bv/contract';
import { readCursor } from '@bv/cursor';
import type { Collection, CursorCodec } from '@bv/cursor';

/** The id after which a page starts, in lists ordered by id; null for the first page. */
export function parseAfterId(
  codec: CursorCodec,
  cursor: string | undefined,
  collection: Collection,
): string | null {
  if (cursor === undefined) return null;
  return String(readCursor(codec, { ...collection, cursor, filters: {} }).sort[0]);
}

/** Removes the extra row that was read to detect a further page, and creates the cursor. */
export function buildPage<Row>(
  codec: CursorCodec,
  collection: Collection,
  page: { rows: Row[]; limit: number; getId: (row: Row) => string },
): { rows: Row[]; pagination: Pagination } {
  const rows = page.rows.slice(0, page.limit);
  const last = rows.at(-1);
  if (page.rows.length <= page.limit || last === undefined) {
    return { rows, pagination: { next_cursor: null, has_more: false } };
  }
  const next_cursor = codec.encode({ ...collection, filters: {}, sort: [page.getId(last)] });
  return { rows, pagination: { next_cursor, has_more: true } };
}
