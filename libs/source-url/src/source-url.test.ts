import { expect, test } from '@jest/globals';
import { isPublicName, normalizeSourceUrl, sourceDomain } from './source-url.ts';

test.each([
  ['https://www.Example.com:443/a/?utm_source=openai#x', 'https://www.example.com/a', 'example.com'],
  ['https://example.com/?gclid=1&fbclid=2', 'https://example.com/', 'example.com'],
  ['https://example.com/a?b=%20c&utm_medium=x&d', 'https://example.com/a?b=%20c&d', 'example.com'],
  ['https://example.com/a?b=%20c&d', 'https://example.com/a?b=%20c&d', 'example.com'],
  ['http://user:secret@shop.example.co.uk/a/b/', 'http://shop.example.co.uk/a/b', 'example.co.uk'],
  ['https://acme.github.io/docs', 'https://acme.github.io/docs', 'acme.github.io'],
  ['https://www.google.com/search?q=a b', 'https://www.google.com/search?q=a%20b', 'google.com'],
  ['https://192.0.2.1/a/?utm_id=1', 'https://192.0.2.1/a', '192.0.2.1'],
  ['https://bücher.example.de/ü', 'https://xn--bcher-kva.example.de/%C3%BC', 'example.de'],
])('%s', (raw, url, domain) => {
  expect(normalizeSourceUrl(raw)).toEqual({ url, domain });
});

test.each([
  '',
  'no url',
  'javascript:alert(1)',
  'ftp://example.com/',
  `https://example.com/${'x'.repeat(4096)}`,
  `https://example.com/${'ü'.repeat(700)}`,
])('no source: %s', (raw) => {
  expect(normalizeSourceUrl(raw)).toBeNull();
});

test.each([
  ['acme.com', true],
  ['acme.example', true],
  ['carrd.co', true],
  ['github.io', true],
  ['gov.uk', true],
  ['com', false],
  ['localhost', false],
  ['192.0.2.1', false],
  ['[2001:db8::1]', false],
  ['xn--a.com', false],
  ['xn--mnchen-3ya.de', true],
  ['a..com', false],
  ['.com', false],
  ['acme.com.', false],
  [`${'a'.repeat(64)}.com`, false],
])('%s is a name of the public DNS: %s', (host, expected) => {
  expect(isPublicName(host)).toBe(expected);
});

test.each([
  ['https://www.bbc.co.uk/news', 'bbc.co.uk'],
  ['HTTPS://WWW.Acme.COM:8443/a?b#c', 'acme.com'],
  ['https://user:secret@shop.acme.com/', 'acme.com'],
  ['https://acme.com./x', 'acme.com'],
  ['shop.acme.com', 'acme.com'],
  ['acme.github.io', 'acme.github.io'],
  ['https://bücher.example.de/x', 'example.de'],
  ['https://bücher.de/x', 'xn--bcher-kva.de'],
  ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
  ['192.0.2.1', '192.0.2.1'],
  ['https://192.0.2.1/one', '192.0.2.1'],
  ['https://[2001:db8::1]/one', '[2001:db8::1]'],
  ['https://localhost:3000/one', 'localhost'],
  ['https://github.io/one', 'github.io'],
  ['https://www.carrd.co/pricing', 'carrd.co'],
  ['https://acme.carrd.co/', 'acme.carrd.co'],
  ['https://www.gov.uk/vat', 'gov.uk'],
  ['https://gov.uk/vat', 'gov.uk'],
  ['https://www.service.gov.uk/', 'service.gov.uk'],
  ['https://www.com/', 'www.com'],
  ['Not a URL', 'not a url'],
])('the domain of %s', (input, domain) => {
  expect(sourceDomain(input)).toBe(domain);
});

test('never longer than a host name can be, so that a cursor can carry it', () => {
  expect(sourceDomain(`https://${'a'.repeat(300)}.${'b'.repeat(300)}/`).length).toBeLessThanOrEqual(253);
});
