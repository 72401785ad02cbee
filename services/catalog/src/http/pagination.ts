import type { Pagination } from '@bv/contract';
import { type CursorCodec, readCursor } from '@bv/cursor';

type Filters = Record<string, string | undefined>;

/** A list with its filters. A cursor is bound to all three fields. */
type List<F extends Filters> = { operation: string; collection: readonly string[]; filters: F };

/** Returns the start and the filters of a page. Throws `invalid_cursor` if a sent filter differs from the cursor. */
export function parsePage<F extends Filters>(
  codec: CursorCodec,
  list: List<F>,
  cursor: string | undefined,
): { filters: F; sort: readonly unknown[] } {
  if (cursor === undefined) return { filters: list.filters, sort: [] };
  return readCursor(codec, { ...list, cursor });
}

/** Sorts before every row in the order `created_at, id`. */
const startPosition = { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

export function parsePosition([createdAt, id]: readonly unknown[]): { createdAt: string; id: string } {
  return typeof createdAt === 'string' && typeof id === 'string' ? { createdAt, id } : startPosition;
}

/** Builds a page and its next cursor. `rows` holds one row more than `limit` where another page follows. */
export function buildPage<Row, F extends Filters>(
  codec: CursorCodec,
  list: List<F>,
  { rows, limit, getSortKey }: { rows: readonly Row[]; limit: number; getSortKey: (row: Row) => string[] },
): { rows: Row[]; pagination: Pagination } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) {
    return { rows: page, pagination: { next_cursor: null, has_more: false } };
  }
  const next = codec.encode({ ...list, sort: getSortKey(last) });
  return { rows: page, pagination: { next_cursor: next, has_more: true } };
}
