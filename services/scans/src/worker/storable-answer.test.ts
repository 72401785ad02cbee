import { describe, expect, test } from '@jest/globals';
import type { PlatformAnswer } from '../platforms/platform.ts';
import { toStorableAnswer, truncateUtf8 } from './storable-answer.ts';

const answer: PlatformAnswer = {
  outcome: 'answered',
  answerText: 'text',
  truncated: false,
  sources: [],
  sourcesUnresolved: 0,
  searchQueries: [],
  model: null,
  searchUsed: null,
  localization: 'none',
  usage: { inputTokens: 0, outputTokens: 0, searches: 1, requests: 1 },
  costUsd: null,
  latencyMs: 1,
};

describe('truncateUtf8', () => {
  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['aé', 2, 'a'],
    ['日本', 5, '日'],
    ['a😀', 4, 'a'],
    ['a😀', 5, 'a😀'],
  ])('%j within %i bytes is %j', (text, maxBytes, expected) => {
    expect(truncateUtf8(text, maxBytes)).toBe(expected);
  });
});

describe('toStorableAnswer', () => {
  test('an answer over 32 KiB is truncated and marked as such', () => {
    const stored = toStorableAnswer({ ...answer, answerText: '日'.repeat(20_000) });
    expect(Buffer.byteLength(stored.answerText ?? '')).toBeLessThanOrEqual(32_768);
    expect(stored.answerTruncated).toBe(true);
    expect(toStorableAnswer(answer)).toMatchObject({ answerText: 'text', answerTruncated: false });
  });

  test('an answer that the platform cut off is marked as truncated, also a short one', () => {
    expect(toStorableAnswer({ ...answer, truncated: true })).toMatchObject({
      answerText: 'text',
      answerTruncated: true,
    });
  });

  test('NUL and lone surrogates, which Postgres rejects, are removed from every field', () => {
    const bad = 'a\u0000b\ud800';
    const stored = toStorableAnswer({
      ...answer,
      answerText: bad,
      model: bad,
      searchQueries: [bad],
      sources: [{ position: 1, url: `https://x.com/${bad}`, domain: 'x.com', title: bad, cited: true }],
    });
    expect(JSON.stringify(stored)).not.toMatch(/\\u0000|\\ud800/i);
  });

  test('the last sources and queries are omitted if they are too large together', () => {
    const sources = Array.from({ length: 100 }, (_, index) => ({
      position: index + 1,
      url: `https://x.com/${'a'.repeat(2_000)}`,
      domain: 'x.com',
      // A control character has six bytes in JSON.
      title: '\u0001'.repeat(500),
      cited: true,
    }));
    const searchQueries = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(500, '\u0001'));
    const stored = toStorableAnswer({ ...answer, searchQueries, sources });
    // Sources of about 5,090 bytes, and queries of about 2,990.
    expect(stored.sources).toEqual(sources.slice(0, 68));
    expect(stored.searchQueries).toEqual(searchQueries.slice(0, 25));
  });

  test('a source with a URL over the limit is omitted', () => {
    const source = {
      position: 1,
      url: `https://x.com/${'a'.repeat(3_000)}`,
      domain: 'x.com',
      title: null,
      cited: true,
    };
    expect(toStorableAnswer({ ...answer, sources: [source] }).sources).toEqual([]);
  });
});
