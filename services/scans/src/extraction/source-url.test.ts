import { expect, test } from '@jest/globals';
import { isPublicHost, normalizeSourceUrl, registrableDomain } from './source-url.ts';

test.each([
  ['https://www.Example.com:443/a/?utm_source=openai#x', 'https://www.example.com/a', 'example.com'],
  ['https://example.com/?gclid=1&fbclid=2', 'https://example.com/', 'example.com'],
  ['https://example.com/a?b=%20c&utm_medium=x&d', 'https://example.com/a?b=%20c&d', 'example.com'],
  ['https://example.com/a?b=%20c&d', 'https://example.com/a?b=%20c&d', 'example.com'],
  ['http://user:secret@shop.example.co.uk/a/b/', 'http://shop.example.co.uk/a/b', 'example.co.uk'],
  ['https://acme.github.io/docs', 'https://acme.github.io/docs', 'acme.github.io'],
  ['https://www.google.com/search?q=a b', 'https://www.google.com/search?q=a%20b', 'google.com'],
  ['https://bücher.example.de/ü', 'https://xn--bcher-kva.example.de/%C3%BC', 'example.de'],
])('%s', (raw, url, domain) => {
  expect(normalizeSourceUrl(raw)).toEqual({ url, domain });
});

test.each([
  '',
  'no url',
  'javascript:alert(1)',
  'ftp://example.com/',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://com/',
  `https://example.com/${'x'.repeat(3000)}`,
])('no source: %s', (raw) => {
  expect(normalizeSourceUrl(raw)).toBeNull();
});

test('registrable domains', () => {
  expect(registrableDomain(' WWW.Example.COM ')).toBe('example.com');
  expect(registrableDomain('co.uk')).toBeNull();
});

test.each([
  ['ft.com', true],
  ['www.bbc.co.uk', true],
  ['Weather information for San Francisco, CA, US', false],
  ['Node.js', false],
  ['Version 2.0', false],
  ['3.14', false],
  ['localhost', false],
])('%s names a public host: %s', (text, expected) => {
  expect(isPublicHost(text)).toBe(expected);
});
