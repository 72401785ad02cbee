import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createCursorCodec } from './codec.ts';
import { buildPage, parsePage, parseWindowedPage, toCreatedAtPosition, toIdPosition } from './page.ts';

const codec = createCursorCodec({ keys: [{ id: 1, key: randomBytes(32) }] });
const list = { operation: 'listBrands', collection: ['org'] };
const scores = {
  operation: 'listScores',
  collection: ['org', 'brand'],
  filters: { country: undefined as string | undefined },
  today: '2026-11-21',
  maxDays: 366,
};

type Row = { id: string; createdAt: string };
const rows: Row[] = [1, 2, 3, 4, 5].map((number) => ({
  id: `id-${number}`,
  createdAt: `2026-11-0${number}T00:00:00.000001Z`,
}));
const toSortKey = ({ createdAt, id }: Row): string[] => [createdAt, id];
const present = ({ id }: Row): string => id;

/** Reads a list as a service does: up to `limit + 1` rows after the position. */
function readPage(query: { cursor?: string | undefined; limit: number }) {
  const request = parsePage(codec, list, query);
  const position = toCreatedAtPosition(request);
  const start = position === null ? 0 : rows.findIndex(({ id }) => id === position.id) + 1;
  const found = rows.slice(start, start + request.limit + 1);
  return buildPage(codec, request, { rows: found, toSortKey, present });
}

describe('a walk over all pages', () => {
  test.each([1, 2, 3, 4, 5, 6])('of %d rows returns every row once, in order', (limit) => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const { data, pagination } = readPage({ cursor, limit });
      pages.push(data);
      expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      cursor = pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages.flat()).toEqual(rows.map(({ id }) => id));
    expect(pages).toHaveLength(Math.ceil(rows.length / limit));
  });

  test('of an empty list is one empty page', () => {
    const page = buildPage(codec, parsePage(codec, list, { limit: 2 }), { rows: [], toSortKey, present });
    expect(page).toEqual({ data: [], pagination: { next_cursor: null, has_more: false } });
  });
});

describe('the request of a page', () => {
  const filters = { platform: 'chatgpt', country: undefined as string | undefined };
  const first = parsePage(codec, { ...list, filters }, { limit: 2 });
  const { pagination } = buildPage(codec, first, { rows, toSortKey, present, token: '418' });
  const cursor = pagination.next_cursor ?? '';

  test('the first has the sent filters and no position', () => {
    expect(first).toMatchObject({ ...list, limit: 2, filters, sort: null, window: undefined });
    expect(toIdPosition(first)).toBeNull();
    expect(toCreatedAtPosition(first)).toBeNull();
  });

  test('a later one has filters, position and token of the cursor, and its own limit', () => {
    const none = { platform: undefined, country: undefined };
    const request = parsePage(codec, { ...list, filters: none }, { cursor, limit: 7 });
    expect(request).toMatchObject({ ...list, limit: 7, filters: { platform: 'chatgpt' }, token: '418' });
    expect(toCreatedAtPosition(request)).toEqual({ createdAt: rows[1]?.createdAt, id: 'id-2' });
    expect(toIdPosition({ sort: ['id-2'] })).toBe('id-2');
  });
});

describe('the request of a windowed page', () => {
  const first = parseWindowedPage(codec, scores, { limit: 2, from: '2026-11-01' });
  const { pagination } = buildPage(codec, first, { rows, toSortKey, present });
  const cursor = pagination.next_cursor ?? '';

  test('the first resolves its window, later ones keep it on any day', () => {
    expect(first.window).toEqual({ from: '2026-11-01', to: '2026-11-21' });
    const later = parseWindowedPage(codec, { ...scores, today: '2026-11-22' }, { cursor, limit: 2 });
    expect(later.window).toEqual(first.window);
    expect(later.token).toBeUndefined();
  });
});
