import { describe, expect, test } from '@jest/globals';
import { parseRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-11-25T16:35:31Z');

describe('valid Retry-After', () => {
  test.each([
    ['seconds', '120', 120],
    ['spaces around', ' 7 ', 7],
    ['none', '0', 0],
    ['a fraction', '120.5', 121],
    ['leading zeros', '0005', 5],
    ['more than a day', '90000', 90_000],
    ['more than can be calculated with', '9'.repeat(400), 2 ** 31],
    ['IMF-fixdate', 'Wed, 25 Nov 2026 17:35:31 GMT', 3_600],
    ['IMF-fixdate in the past', 'Wed, 25 Nov 2026 15:35:31 GMT', 0],
    ['IMF-fixdate, leap second', 'Wed, 25 Nov 2026 16:59:60 GMT', 1_469],
    ['RFC 850', 'Wednesday, 25-Nov-26 17:35:31 GMT', 3_600],
    ['RFC 850, 50 years ahead', 'Wednesday, 25-Nov-76 16:35:31 GMT', 1_577_923_200],
    ['RFC 850, a year that would be 51 years ahead', 'Friday, 25-Nov-77 16:35:31 GMT', 0],
    ['RFC 850 with a full year', 'Wednesday, 25-Nov-2026 17:35:31 GMT', 3_600],
    ['asctime', 'Wed Nov 25 17:35:31 2026', 3_600],
    ['asctime, day of one digit', 'Tue Dec  1 16:35:31 2026', 6 * 86_400],
    ['asctime in the past', 'Sun Nov  6 08:49:37 1994', 0],
    ['another case', 'wed, 25 nov 2026 17:35:31 gmt', 3_600],
    ['no day of the week', '25 Nov 2026 17:35:31 GMT', 3_600],
    ['a numeric zone', 'Wed, 25 Nov 2026 18:35:31 +0100', 3_600],
    ['far ahead', 'Fri, 31 Dec 9999 23:59:59 GMT', 2 ** 31],
    ['seconds joined', '120, 120', 120],
    ['values joined, the first cannot be read', 'soon, 7,9', 7],
    ['seconds and a date joined', '120, Wed, 25 Nov 2026 17:35:31 GMT', 120],
    ['a date and seconds joined', 'Wed, 25 Nov 2026 17:35:31 GMT, 120', 3_600],
    ['several', ['5', 'Wed, 25 Nov 2026 17:35:31 GMT', 'soon'], 3_600],
  ])('%s', (_name, written, seconds) => expect(parseRetryAfter(written, now)).toBe(seconds));
});

describe('invalid Retry-After returns no wait', () => {
  test.each([
    '',
    '-5',
    '+5',
    '1e3',
    '0x10',
    'soon',
    '5 minutes',
    'Infinity',
    '2026-11-25',
    'Wed, 25 Foo 2026 17:35:31 GMT',
    'Wed, 31 Nov 2026 17:35:31 GMT',
    'Wed, 00 Nov 2026 17:35:31 GMT',
    'Wed, 25 Nov 2026 24:35:31 GMT',
    'Wed, 25 Nov 2026 17:60:31 GMT',
    'Wed, 25 Nov 2026 17:35:31',
    'Wed, 25 Nov 2026 17:35:31 CET',
    'Wednesday, 25-Nov-126 17:35:31 GMT',
  ])('%p', (written) => expect(parseRetryAfter(written, now)).toBeUndefined());
  test.each([null, undefined, []])('no header: %p', (written) =>
    expect(parseRetryAfter(written, now)).toBeUndefined(),
  );
});
