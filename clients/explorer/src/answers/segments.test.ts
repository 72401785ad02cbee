import { expect, test } from '@jest/globals';
import { toSegments } from './segments.ts';

const brand = (name: string, isOwn: boolean, evidence: { start: number; end: number }[]) => ({
  brand_id: name,
  name,
  domain: `${name}.com`,
  is_own: isOwn,
  mentioned: true,
  mention_count: evidence.length,
  position: 1,
  sentiment: 50,
  cited: false,
  evidence,
});

const segmentsOf = (answer_text: string | null, ...brands: ReturnType<typeof brand>[]) =>
  toSegments({ answer_text, brands }).map(({ text, kind }) => [text, kind]);

test('offsets count code points, not UTF-16 units', () => {
  const text = '👍🏽 Acme, then Zoho.';
  const own = brand('Acme', true, [{ start: 3, end: 7 }]);
  const competitor = brand('Zoho', false, [{ start: 14, end: 18 }]);
  expect(segmentsOf(text, own, competitor)).toEqual([
    ['👍🏽 ', undefined],
    ['Acme', 'own'],
    [', then ', undefined],
    ['Zoho', 'competitor'],
    ['.', undefined],
  ]);
});

test('of overlapping names the longer is marked, and the text stays whole', () => {
  const long = brand('Acme Cloud', false, [{ start: 0, end: 10 }]);
  const short = brand('Acme', true, [{ start: 0, end: 4 }]);
  expect(segmentsOf('Acme Cloud wins', short, long)).toEqual([
    ['Acme Cloud', 'competitor'],
    [' wins', undefined],
  ]);
});

test('names that are not tracked have their own style', () => {
  const others = [{ name: 'Foo', start: 0, end: 3 }];
  expect(toSegments({ answer_text: 'Foo', brands: [], others })).toEqual([
    { text: 'Foo', kind: 'other', name: 'Foo' },
  ]);
});

test('evidence beyond the stored text is cut', () => {
  expect(segmentsOf('Acme', brand('Acme', true, [{ start: 0, end: 9 }]))).toEqual([['Acme', 'own']]);
  expect(segmentsOf(null, brand('Acme', true, [{ start: 0, end: 4 }]))).toEqual([]);
});
