import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normaliseHost } from './host-name.ts';

/** A host name of `length` characters. */
const longName = (length: number): string =>
  `${`${'a'.repeat(61)}.`.repeat(4)}${'b'.repeat(length - 252)}.com`;

describe('every spelling maps to one host', () => {
  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['https://example.com', 'example.com'],
    ['HTTP://www.example.com/', 'example.com'],
    ['ftp://example.com/a/b?c=d#e', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com:8080', 'example.com'],
    ['www.example.com.:443/', 'example.com'],
    ['  example.com \n', 'example.com'],
    ['example.com\\path', 'example.com'],
    ['www.www.example.com', 'www.example.com'],
    ['WWW.www.example.com', 'www.example.com'],
    ['ｗｗｗ.example.com', 'example.com'],
    ['example.com:', 'example.com'],
    ['example.com:0', 'example.com'],
    ['example.com:65535', 'example.com'],
    ['example.com:000443', 'example.com'],
    ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e.com'],
    ['xn--ls8h.la', 'xn--ls8h.la'],
    ['公益.公益', 'xn--55qw42g.xn--55qw42g'],
    ['ab--cd.com', 'ab--cd.com'],
    [`xn--mnchen-3ya.${'a.'.repeat(117)}de`, `xn--mnchen-3ya.${'a.'.repeat(117)}de`],
    ['shop.example.com', 'shop.example.com'],
    ['www2.example.com', 'www2.example.com'],
    ['faß.de', 'xn--fa-hia.de'],
    ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['ＥＸＡＭＰＬＥ。com', 'example.com'],
    ['acme.co.uk', 'acme.co.uk'],
    ['github.io', 'github.io'],
    ['acme.github.io', 'acme.github.io'],
    ['acme.example', 'acme.example'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
    [longName(253), longName(253)],
    [`${longName(253)}.`, longName(253)],
  ])('%s is %s', (written, host) => {
    expect(normaliseHost(written)).toBe(host);
  });
});

describe('no registrable host name', () => {
  test.each([
    '',
    ' ',
    '.',
    'com',
    'co.uk',
    'localhost',
    'http://localhost:3000',
    'printer.local',
    'a.internal',
    'x.onion',
    'foo.localhost',
    'foo.invalid',
    '127.0.0.1',
    '0x7f.1',
    '1.2.3',
    '2130706433',
    '[::1]',
    'http://[2001:db8::1]/',
    'user@example.com',
    'https://user:pass@example.com',
    'mailto:a@example.com',
    'http:example.com',
    'example.com:port',
    'exa mple.com',
    'ex%61mple.com',
    'a_b.com',
    '-a.com',
    'a-.com',
    'a..com',
    '.example.com',
    'example.com..',
    '//example.com',
    'https:///example.com',
    '*.example.com',
    `${'a'.repeat(64)}.com`,
    longName(254),
    `${'例'.repeat(60)}.jp`,
    `${'a.'.repeat(126)}com`,
    'example.com\u0000',
    'a\ud800.com',
    'www.',
    'www.com',
    'https://www.com/',
    'www.co.uk',
    'WWW.COM',
    'www.localhost',
    'example.com:65536',
    'example.com:99999',
    'https://example.com:70000/a',
    'example.com:100000',
    'example.com:0000065536',
    'example.com:-1',
    'example.com:80:80',
    'xn--a.com',
    'xn--.com',
    'xn--',
    'XN--A.com',
    'xn--abc-.com',
    'shop.xn--a.com',
    'xn--a.example.com',
    'example.xn--a',
    'münchen.xn--a.de',
    // Encodes é in another form than IDNA; and an ASCII name.
    'xn--u-ccb.com',
    'xn--ss-.de',
    '.com',
    'www..com',
    '..',
    'user:pass@example.com:80',
    'example.com:80@evil.com',
    '127.0.0.1:80',
    '0xabcd',
    '::1',
    '2001:db8::1',
    'javascript:alert(1)',
  ])('%j', (written) => {
    expect(normaliseHost(written)).toBeUndefined();
  });
});

const label = fc
  .stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/)
  .filter((text) => !/^(www|xn--)/.test(text));
const host = fc
  .tuple(
    fc.array(label, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('com', 'co.uk', 'de', 'io', 'com.br', 'dev'),
  )
  .map(([labels, suffix]) => [...labels, suffix].join('.'))
  .filter((written) => normaliseHost(written) !== undefined);
const spelling = fc.record({
  scheme: fc.constantFrom('', 'http://', 'https://', 'HTTPS://'),
  www: fc.constantFrom('', 'www.', 'WWW.'),
  upper: fc.boolean(),
  dot: fc.constantFrom('', '.'),
  port: fc.constantFrom('', ':80', ':65535'),
  path: fc.constantFrom('', '/', '/a/b', '?q=1', '#x'),
});

test('every generated spelling returns the host', () => {
  fc.assert(
    fc.property(host, spelling, (plain, { scheme, www, upper, dot, port, path }) => {
      const written = `${scheme}${www}${upper ? plain.toUpperCase() : plain}${dot}${port}${path}`;
      expect(normaliseHost(written)).toBe(plain);
    }),
    { numRuns: 1_000 },
  );
});

test('any input: no exception; a result is a plain host name and its own normal form', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.webUrl(),
    fc.domain(),
    fc.ipV4(),
    fc.ipV6(),
    fc.emailAddress(),
    fc.string({
      unit: fc.constantFrom('a', 'ß', 'İ', '.', '-', 'w', 'www.', '例', '％', '/', ':', '1', 'com', '。'),
    }),
  );
  fc.assert(
    fc.property(anything, (written) => {
      const normal = normaliseHost(written);
      if (normal === undefined) return;
      expect(normal).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      expect(normal.length).toBeLessThanOrEqual(253);
      // Only one leading `www.` is removed.
      expect(normal.startsWith('www.') || normaliseHost(normal) === normal).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});
