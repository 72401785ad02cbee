import type { Pagination } from '@bv/contract';
import { readCursor } from '@bv/cursor';
import type { Collection, CursorCodec } from '@bv/cursor';

/** The id after which a page ordered by id begins; null on the first page. */
export function afterIdOf(
  codec: CursorCodec,
  cursor: string | undefined,
  collection: Collection,
): string | null {
  if (cursor === undefined) return null;
  return String(readCursor(codec, { ...collection, cursor, filters: {} }).sort[0]);
}

/** Cuts the extra row that was read to learn whether there is more. */
export function pageById<Row>(
  codec: CursorCodec,
  collection: Collection,
  page: { rows: Row[]; limit: number; idOf: (row: Row) => string },
): { rows: Row[]; pagination: Pagination } {
  const rows = page.rows.slice(0, page.limit);
  const last = rows.at(-1);
  if (page.rows.length <= page.limit || last === undefined) {
    return { rows, pagination: { next_cursor: null, has_more: false } };
  }
  const next_cursor = codec.encode({ ...collection, filters: {}, sort: [page.idOf(last)] });
  return { rows, pagination: { next_cursor, has_more: true } };
}
