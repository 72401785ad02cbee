import type { Pagination } from '@bv/contract';
import { type CursorCodec, readCursor } from '@bv/cursor';

type Filters = Record<string, string | undefined>;

/** One list as its reader sees it: the cursor belongs to the operation and the collection. */
type List<F extends Filters> = { operation: string; collection: readonly string[]; filters: F };

/** Where a page begins and with which filters: those of the cursor, or those sent. */
export function openWalk<F extends Filters>(
  codec: CursorCodec,
  list: List<F>,
  cursor: string | undefined,
): { filters: F; sort: readonly unknown[] } {
  if (cursor === undefined) return { filters: list.filters, sort: [] };
  return readCursor(codec, { ...list, cursor });
}

/** Before every row in the order `created_at, id`. */
const beginning = { createdAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

export function afterRow([createdAt, id]: readonly unknown[]): { createdAt: string; id: string } {
  return typeof createdAt === 'string' && typeof id === 'string' ? { createdAt, id } : beginning;
}

/** A page from one row more than it holds, and the cursor of the next. */
export function closePage<Row, F extends Filters>(
  codec: CursorCodec,
  list: List<F>,
  { rows, limit, sortOf }: { rows: readonly Row[]; limit: number; sortOf: (row: Row) => string[] },
): { rows: Row[]; pagination: Pagination } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) {
    return { rows: page, pagination: { next_cursor: null, has_more: false } };
  }
  const next = codec.encode({ ...list, sort: sortOf(last) });
  return { rows: page, pagination: { next_cursor: next, has_more: true } };
}
