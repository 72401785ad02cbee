import { ApiError, type DateWindow } from '@bv/contract';
import type { CursorCodec } from './codec.ts';
import type { Collection, Filters, SortValue } from './payload.ts';

type SentWindow = { from?: string | undefined; to?: string | undefined };

type CursorRequest<F extends Filters, Sent extends SentWindow | undefined> = Collection & {
  cursor: string;
  /** Every filter of the list, normalised; undefined if it was not sent. */
  filters: F;
  /** `from` and `to` as sent, on lists with a date window. */
  window?: Sent;
  /**
   * Filters that select a separate series (`country` of the scores). If one is sent but the cursor has none, the
   * cursor belongs to another collection and is rejected without details.
   */
  seriesFilters?: readonly (keyof F)[];
};

type CursorState<F, Sent> = {
  /** The filters of the first page. */
  filters: F;
  window: Sent extends undefined ? undefined : DateWindow;
  sort: readonly SortValue[];
  token: string | undefined;
};

/**
 * Decrypts a cursor and compares the request with it. Only parameters that were sent are compared.
 * Throws `invalid_cursor`: with details for a changed filter or window, otherwise without.
 */
export function readCursor<F extends Filters, Sent extends SentWindow | undefined = undefined>(
  codec: CursorCodec,
  request: CursorRequest<F, Sent>,
): CursorState<F, Sent> {
  const { operation, collection } = request;
  const state = codec.decode(request.cursor, { operation, collection });
  checkFilters(request.filters, state.filters, request.seriesFilters ?? []);
  checkWindow(request.window, state.window);
  return {
    // The cursor is authenticated, so these values were validated for the first page.
    filters: state.filters as F,
    window: state.window as CursorState<F, Sent>['window'],
    sort: state.sort,
    token: state.token,
  };
}

function checkFilters(sent: Filters, first: Filters, series: readonly PropertyKey[]): void {
  const repeated = Object.entries(sent).filter(([, value]) => value !== undefined);
  for (const [name] of repeated) {
    if (series.includes(name) && first[name] === undefined) throw new ApiError('invalid_cursor');
  }
  for (const [name, value] of repeated) {
    if (value === first[name]) continue;
    throw new ApiError('invalid_cursor', { details: { reason: 'filter_changed', parameter: name } });
  }
}

function checkWindow(sent: SentWindow | undefined, first: DateWindow | undefined): void {
  if (!sent) return;
  // A cursor of this list always has a window.
  if (!first) throw new ApiError('invalid_cursor');
  const isChanged =
    (sent.from !== undefined && sent.from !== first.from) || (sent.to !== undefined && sent.to !== first.to);
  if (isChanged) throw new ApiError('invalid_cursor', { details: { reason: 'window_changed' } });
}
