import type { Pagination } from '@bv/contract';

/** Builds a page from up to `limit` + 1 rows: the further row shows that there is a next page. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (row: Row) => string,
): { rows: Row[]; pagination: Pagination } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    rows: page,
    pagination: { next_cursor: hasMore ? cursorAfter(last) : null, has_more: hasMore },
  };
}
