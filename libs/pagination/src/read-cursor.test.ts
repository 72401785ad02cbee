import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@bv/contract';
import { createCursorCodec } from './codec.ts';
import { readCursor } from './page.ts';
import type { Payload } from './payload.ts';

const codec = createCursorCodec({ keys: [{ id: 1, key: randomBytes(32) }] });
const list = { operation: 'listMentions', collection: ['org', 'brand'] };
const payload: Payload = {
  ...list,
  filters: { platform: 'chatgpt' },
  window: { from: '2026-10-22', to: '2026-11-21' },
  sort: ['2026-11-21', null, 3],
  token: '7',
};
const cursor = codec.encode(payload);
const filters = { platform: undefined, country: undefined };

function catchError(fn: () => unknown): ApiError {
  try {
    fn();
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError;
  }
  throw new Error('no error');
}

describe('the next page', () => {
  test('has filters, window, sort and token from the cursor alone', () => {
    expect(readCursor(codec, { ...list, cursor, filters, window: {} })).toEqual({
      filters: { platform: 'chatgpt' },
      window: { from: '2026-10-22', to: '2026-11-21' },
      sort: ['2026-11-21', null, 3],
      token: '7',
    });
  });

  test('repeating filter and window is allowed, in part too', () => {
    const sent = { platform: 'chatgpt', country: undefined };
    for (const window of [
      { from: '2026-10-22', to: '2026-11-21' },
      { to: '2026-11-21' },
      { from: '2026-10-22' },
    ]) {
      const state = readCursor(codec, { ...list, cursor, filters: sent, window });
      // The type follows the list: no assertion is needed at the call.
      const { from }: { from: string } = state.window;
      expect([state.filters.platform, from]).toEqual(['chatgpt', '2026-10-22']);
    }
  });

  test('a list without a window has none', () => {
    const plain = codec.encode({ operation: 'listOrgs', collection: ['owner'], filters: {}, sort: ['id'] });
    const state = readCursor(codec, {
      operation: 'listOrgs',
      collection: ['owner'],
      cursor: plain,
      filters: {},
    });
    expect(state).toEqual({ filters: {}, sort: ['id'], window: undefined, token: undefined });
  });
});

describe('filter_changed', () => {
  test.each([
    ['another value', { platform: 'gemini', country: undefined }, 'platform'],
    ['a filter that the first page did not have', { platform: undefined, country: 'GB' }, 'country'],
    ['in addition to a repeated one', { platform: 'chatgpt', country: 'GB' }, 'country'],
    ['an empty value is a value', { platform: '', country: undefined }, 'platform'],
  ])('%s', (_, sent, parameter) => {
    const error = catchError(() => readCursor(codec, { ...list, cursor, filters: sent, window: {} }));
    expect(error).toMatchObject({ code: 'invalid_cursor', status: 400 });
    expect(error.details).toEqual({ reason: 'filter_changed', parameter });
  });
});

describe('window_changed', () => {
  test.each([
    ['from', { from: '2026-10-21' }],
    ['to', { to: '2026-11-22' }],
    ['one of both', { from: '2026-10-22', to: '2026-11-20' }],
  ])('another %s', (_, window) => {
    const error = catchError(() => readCursor(codec, { ...list, cursor, filters, window }));
    expect(error.details).toEqual({ reason: 'window_changed' });
  });
});

describe('without details', () => {
  test.each([
    ['another list', { ...list, operation: 'listSources', cursor }],
    ['another collection', { ...list, collection: ['org', 'other'], cursor }],
    ['no cursor at all', { ...list, cursor: 'bm9wZQ' }],
    ['an empty one', { ...list, cursor: '' }],
    ['of a list that lost its window', { ...list, cursor: codec.encode({ ...list, filters: {}, sort: [] }) }],
  ])('%s', (_, request) => {
    const error = catchError(() => readCursor(codec, { ...request, filters, window: {} }));
    expect(error).toMatchObject({ code: 'invalid_cursor', status: 400, details: undefined });
  });

  test('another collection is reported before a changed filter', () => {
    const error = catchError(() =>
      readCursor(codec, { ...list, operation: 'x', cursor, filters: { platform: 'gemini' }, window: {} }),
    );
    expect(error.details).toBeUndefined();
  });
});

describe('series (scores): country selects a separate list', () => {
  const scores = { operation: 'listScores', collection: ['org', 'brand'] };
  const window = { from: '2026-10-22', to: '2026-11-21' };
  const issue = (first: Payload['filters']) =>
    codec.encode({ ...scores, filters: first, window, sort: ['2026-11-21'] });
  const read = (first: Payload['filters'], country: string | undefined) =>
    readCursor(codec, {
      ...scores,
      cursor: issue(first),
      filters: { country },
      window: {},
      seriesFilters: ['country'],
    });

  test('country sent but not in the cursor: without details', () => {
    expect(catchError(() => read({}, 'GB')).details).toBeUndefined();
  });

  test('another country: filter_changed', () => {
    expect(catchError(() => read({ country: 'DE' }, 'GB')).details).toEqual({
      reason: 'filter_changed',
      parameter: 'country',
    });
  });

  test('the cursor alone continues its series, and repeating the filter is allowed', () => {
    expect(read({ country: 'DE' }, undefined).filters.country).toBe('DE');
    expect(read({ country: 'DE' }, 'DE').filters.country).toBe('DE');
    expect(read({}, undefined).filters.country).toBeUndefined();
  });
});
