import { ApiError } from '@bv/contract';
import type { CursorCodec } from './codec.ts';
import type { Collection, SortValue, Window } from './payload.ts';

type SentFilters = Readonly<Record<string, string | undefined>>;
type SentWindow = { from?: string | undefined; to?: string | undefined };

export type CursorRequest<Filters extends SentFilters, Sent extends SentWindow | undefined> = Collection & {
  cursor: string;
  /** Every filter of the list, as sent and normalised; undefined where it was not sent. */
  filters: Filters;
  /** `from` and `to` as sent, on lists with a date window. */
  window?: Sent;
  /**
   * Filters that make a series of its own (`country` of the scores): sent where the walk had none, the cursor
   * is of another collection, so it is refused without details.
   */
  seriesFilters?: readonly (keyof Filters)[];
};

export type Walk<Filters, Sent> = {
  /** The filters the walk started with. */
  filters: Filters;
  window: Sent extends undefined ? undefined : Window;
  sort: readonly SortValue[];
  token: string | undefined;
};

/**
 * Opens a cursor and holds the request against the walk it continues: only parameters that were sent are
 * compared. Throws `invalid_cursor`, with the reason for a changed filter or window, without for the rest.
 */
export function readCursor<Filters extends SentFilters, Sent extends SentWindow | undefined = undefined>(
  codec: CursorCodec,
  request: CursorRequest<Filters, Sent>,
): Walk<Filters, Sent> {
  const { operation, collection } = request;
  const walk = codec.decode(request.cursor, { operation, collection });
  checkFilters(request.filters, walk.filters, request.seriesFilters ?? []);
  checkWindow(request.window, walk.window);
  return {
    // The seal vouches that these are the values the first page had accepted.
    filters: walk.filters as Filters,
    window: walk.window as Walk<Filters, Sent>['window'],
    sort: walk.sort,
    token: walk.token,
  };
}

function checkFilters(sent: SentFilters, started: SentFilters, series: readonly PropertyKey[]): void {
  const repeated = Object.entries(sent).filter(([, value]) => value !== undefined);
  for (const [name] of repeated) {
    if (series.includes(name) && started[name] === undefined) throw new ApiError('invalid_cursor');
  }
  for (const [name, value] of repeated) {
    if (value === started[name]) continue;
    throw new ApiError('invalid_cursor', { details: { reason: 'filter_changed', parameter: name } });
  }
}

function checkWindow(sent: SentWindow | undefined, started: Window | undefined): void {
  if (!sent) return;
  // The operation is the same and yet there is no window: not a cursor this list issues.
  if (!started) throw new ApiError('invalid_cursor');
  const moved =
    (sent.from !== undefined && sent.from !== started.from) ||
    (sent.to !== undefined && sent.to !== started.to);
  if (moved) throw new ApiError('invalid_cursor', { details: { reason: 'window_changed' } });
}
