import { expect, test } from '@jest/globals';
import { registrableDomain } from './registrable-domain.ts';

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
  ['Not a URL', 'not a url'],
])('of %s', (input, domain) => {
  expect(registrableDomain(input)).toBe(domain);
});

test('never longer than a host name can be, so that a cursor can carry it', () => {
  expect(registrableDomain(`https://${'a'.repeat(300)}.${'b'.repeat(300)}/`).length).toBeLessThanOrEqual(253);
});
