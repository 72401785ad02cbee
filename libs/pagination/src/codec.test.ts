import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@bv/contract';
import fc from 'fast-check';
import { createCursorCodec } from './codec.ts';
import type { Collection, Payload } from './payload.ts';

const key = (id: number) => ({ id, key: randomBytes(32) });
const codec = createCursorCodec({ keys: [key(1)] });
const collection: Collection = {
  operation: 'listMentions',
  collection: ['5e9d6b1c-6a3e-4c9a-8f5d-0b1f4f0c7a11', 'b1c6a3e4-c9a8-4f5d-8b1f-4f0c7a115e9d'],
};
const page: Payload = {
  ...collection,
  filters: { platform: 'chatgpt', country: 'GB' },
  window: { from: '2026-10-22', to: '2026-11-21' },
  sort: ['2026-11-21', '2026-11-21T03:00:00.123456Z', '0b8f0c1e-2d3a-4b5c-9d6e-7f8091a2b3c4'],
  token: '418',
};

function catchError(text: string, expected: Collection = collection): unknown {
  try {
    return codec.decode(text, expected);
  } catch (error) {
    return error;
  }
}

function expectRejected(text: string, expected: Collection = collection): void {
  const error = catchError(text, expected);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'invalid_cursor', status: 400, details: undefined });
}

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.uuid());
const timestamp = fc
  .tuple(fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }), fc.nat(999))
  .map(([date, micros]) => date.toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`));
const anyPayload: fc.Arbitrary<Payload> = fc
  .record(
    {
      operation: fc.string({ minLength: 1 }),
      collection: fc.array(text, { maxLength: 3 }),
      filters: fc.dictionary(
        fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
        text,
        {
          maxKeys: 4,
          noNullPrototype: true,
        },
      ),
      sort: fc.array(fc.oneof(text, timestamp, fc.double({ noNaN: true }), fc.integer(), fc.constant(null)), {
        maxLength: 4,
      }),
      window: fc.record({ from: text, to: text }),
      token: text,
    },
    { requiredKeys: ['operation', 'collection', 'filters', 'sort'] },
  )
  .map((payload) => payload as Payload);

describe('round trip', () => {
  test('of any payload', () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        expect(codec.decode(codec.encode(payload), payload)).toEqual(payload);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['microseconds', ['2026-11-21T03:00:00.123457Z', '2026-11-21T03:00:00.000001Z']],
    ['null and empty text', [null, '']],
    ['numbers', [0, -0, 1.5, -7, 2 ** 53 - 1, 1e-9, 66.67]],
    ['text beyond the basic plane', ['𝔘𝔫𝔦', 'ΐ', '\u0000', 'ß']],
    ['an upper-case UUID stays upper-case', ['5E9D6B1C-6A3E-4C9A-8F5D-0B1F4F0C7A11']],
    ['nothing', []],
  ])('%s', (_, sort) => {
    const { sort: back } = codec.decode(codec.encode({ ...page, sort }), collection);
    expect(back).toStrictEqual(sort);
  });

  test('a filter that was not sent is absent', () => {
    const { filters } = codec.decode(
      codec.encode({ ...page, filters: { platform: undefined, country: 'GB' } }),
      collection,
    );
    expect(filters).toEqual({ country: 'GB' });
  });

  test('the text is opaque and never repeats', () => {
    const first = codec.encode(page);
    expect(first).toMatch(/^[\w-]+$/);
    expect(codec.encode(page)).not.toBe(first);
    expect(Buffer.from(first, 'base64url').includes('chatgpt')).toBe(false);
  });
});

describe('rejected without details', () => {
  test('any flipped bit', () => {
    fc.assert(
      fc.property(anyPayload, fc.nat(), fc.integer({ min: 0, max: 7 }), (payload, position, bit) => {
        const bytes = Buffer.from(codec.encode(payload), 'base64url');
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        expectRejected(bytes.toString('base64url'), payload);
      }),
      { numRuns: 1000 },
    );
  });

  test('any changed, added or missing character, spare bits of the last one too', () => {
    for (const filler of ['', 'x', 'xy']) {
      const cursor = codec.encode({ ...page, token: filler });
      for (const letter of 'ABCDabcd0123-_+/=. %é') {
        for (const at of [0, 1, 2, 30, cursor.length - 2, cursor.length - 1]) {
          const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1);
          if (changed !== cursor) expectRejected(changed);
        }
        expectRejected(cursor + letter);
        expectRejected(letter + cursor);
      }
      for (let length = 0; length < cursor.length; length += 1) expectRejected(cursor.slice(0, length));
    }
  });

  test('any text that is not a cursor', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (noise) => expectRejected(noise)));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        expectRejected(Buffer.from([1, 1, ...noise]).toString('base64url'));
        expectRejected(Buffer.from([2, 1, ...noise]).toString('base64url'));
      }),
    );
    expectRejected('');
    expectRejected('A'.repeat(100_000));
  });

  test.each([
    ['another operation', { ...collection, operation: 'listSources' }],
    ['another brand', { ...collection, collection: [collection.collection[0] ?? '', 'other'] }],
    ['the ids in another order', { ...collection, collection: collection.collection.toReversed() }],
    ['fewer ids', { ...collection, collection: collection.collection.slice(0, 1) }],
    ['more ids', { ...collection, collection: [...collection.collection, ''] }],
    ['the ids concatenated', { ...collection, collection: [collection.collection.join('')] }],
  ])('%s', (_, expected) => {
    expectRejected(codec.encode(page), expected);
  });
});

describe('keys', () => {
  test('the first encrypts, the others still decrypt, a removed one does not', () => {
    const [old, next] = [key(7), key(8)];
    const before = createCursorCodec({ keys: [old] }).encode(page);
    const rotated = createCursorCodec({ keys: [next, old] });
    expect(rotated.decode(before, collection)).toEqual(page);
    const after = rotated.encode(page);
    expect(createCursorCodec({ keys: [next] }).decode(after, collection)).toEqual(page);
    expect(() => createCursorCodec({ keys: [next] }).decode(before, collection)).toThrow(ApiError);
    expect(() => createCursorCodec({ keys: [key(8)] }).decode(after, collection)).toThrow(ApiError);
  });

  test.each([
    ['none', []],
    ['a short one', [{ id: 1, key: randomBytes(16) }]],
    ['an id over 255', [key(256)]],
    ['two with one id', [key(3), key(3)]],
  ])('%s: rejected at the start', (_, keys) => {
    expect(() => createCursorCodec({ keys })).toThrow(/key/);
  });
});

describe('length', () => {
  const codePoints = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  );
  const utf8Length = (code: number) => Buffer.byteLength(String.fromCodePoint(code).toUpperCase());
  /** Characters that need more bytes in upper case than any single character. */
  const growing = codePoints.filter((code) => utf8Length(code) > 4).map((code) => String.fromCodePoint(code));
  const widest: Payload = {
    operation: 'listPrompts',
    collection: ['5e9d6b1c-6a3e-4c9a-8f5d-0b1f4f0c7a11'],
    filters: { brand_id: '5e9d6b1c-6a3e-4c9a-8f5d-0b1f4f0c7a11', active: 'false', platform: 'ai_overviews' },
    window: { from: '2025-11-21', to: '2026-11-21' },
    sort: [
      '2026-11-21T03:00:00.123456Z',
      '2026-11-21T03:00:00.123456Z',
      '0b8f0c1e-2d3a-4b5c-9d6e-7f8091a2b3c4',
    ],
    token: '2026-11-21T03:00:00.123456Z',
  };
  const lengthWith = (tag: string, country: string) => {
    const payload = { ...widest, filters: { ...widest.filters, tag, country: country.toUpperCase() } };
    const cursor = codec.encode(payload);
    expect(codec.decode(cursor, payload)).toEqual(payload);
    return cursor.length;
  };

  test('a usual cursor stays short', () => {
    expect(codec.encode(page).length).toBeLessThan(250);
  });

  test('the longest filters, every growing character 256 times', () => {
    expect(growing.length).toBeGreaterThan(10);
    for (const letter of growing) expect(lengthWith('𝔘'.repeat(100), letter.repeat(256))).toBeLessThan(2048);
    expect(Buffer.byteLength('ΐ'.repeat(256).toUpperCase())).toBe(1536);
  });

  test('a payload over the limit is not encoded', () => {
    const noise = randomBytes(3000).toString('latin1');
    expect(() => codec.encode({ ...page, token: noise })).toThrow('over the limit');
  });
});
