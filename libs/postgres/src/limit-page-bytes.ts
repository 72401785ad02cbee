/**
 * Stored bytes of the rows of one page. A process needs about ten times as many for a response: rows, JSON, and what is
 * sent.
 */
const maxPageBytes = 2_000_000;

type SizedPage = {
  /** The query of the page, with its limit of rows. */
  rows: string;
  /** What the page returns of them. */
  columns: string;
  /** Total order of the rows. */
  order: string;
  /** Stored size of a row of `rows`, which is called `sized`. */
  bytes: string;
};

/**
 * SQL for the first rows that have at most `maxPageBytes` together, at least one. `has_next` of a row says whether `rows`
 * has another one behind it. The other rows never leave the database.
 */
export const limitPageBytes = ({ rows, columns, order, bytes }: SizedPage): string =>
  `select ${columns}, has_next from (
     select *, lead(true, 1, false) over page as has_next, row_number() over page as place,
       sum(${bytes}) over (page rows unbounded preceding) as total_bytes
     from (${rows}) sized window page as (order by ${order})
   ) listed where total_bytes <= ${maxPageBytes} or place = 1 order by ${order}`;

/** A row of such a page. */
export type Paged<Row> = Row & { has_next: boolean };
