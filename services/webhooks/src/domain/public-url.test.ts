import { describe, expect, test } from '@jest/globals';
import * as corpus from '../../test/ssrf-corpus.ts';
import { createAddressPolicy, isAddressAllowed } from './address.ts';
import { parseTarget, type UrlPolicy } from './public-url.ts';

const strict: UrlPolicy = { addresses: createAddressPolicy([]), allowHttp: false };
const local: UrlPolicy = { addresses: createAddressPolicy(['127.0.0.0/8', '::1/128']), allowHttp: true };

const check = (url: string, policy = strict): string => {
  const parsed = parseTarget(url, policy);
  return parsed.ok ? 'accepted' : parsed.code;
};

describe('addresses', () => {
  test.each([...corpus.privateV4, ...corpus.privateV6, ...corpus.embeddingV6])(
    '%s is not public',
    (address) => {
      expect(isAddressAllowed(address, strict.addresses)).toBe(false);
    },
  );
  test.each([...corpus.publicV4, ...corpus.publicV6])('%s is public', (address) => {
    expect(isAddressAllowed(address, strict.addresses)).toBe(true);
  });
  test.each(['', 'example.com', '127.1', '1.2.3', '::1%lo', 'fe80::1%eth0', '1.2.3.4/8', '[::1]'])(
    '%p is not an address and not allowed',
    (text) => expect(isAddressAllowed(text, local.addresses)).toBe(false),
  );
  test('the allow-list permits its ranges and nothing else', () => {
    expect(isAddressAllowed('127.0.0.1', local.addresses)).toBe(true);
    expect(isAddressAllowed('::1', local.addresses)).toBe(true);
    expect(isAddressAllowed('10.0.0.1', local.addresses)).toBe(false);
    expect(isAddressAllowed('::ffff:127.0.0.1', local.addresses)).toBe(false);
  });
});

describe('URLs', () => {
  test('the corpus has at least 200 URLs', () => {
    const rejected = [...corpus.internalUrls(8443), ...corpus.rejectedUrls, ...corpus.malformedUrls];
    expect(new Set(rejected).size).toBeGreaterThanOrEqual(200);
  });
  test.each(corpus.internalUrls(8443))('%s is rejected', (url) => expect(check(url)).not.toBe('accepted'));
  test.each(corpus.rejectedUrls)('%s is not public', (url) => expect(check(url)).toBe('url_not_public'));
  test.each(corpus.malformedUrls)('%p is not a URL', (url) => expect(check(url)).toBe('invalid_format'));
  test.each(corpus.acceptedUrls)('%s is accepted', (url) => expect(check(url)).toBe('accepted'));

  test('a length is counted in code points', () => {
    const url = (characters: number): string => `https://hooks.example.com/${'😀'.repeat(characters - 26)}`;
    expect([check(url(2048)), check(url(2049))]).toEqual(['accepted', 'invalid_format']);
  });

  test('the local stack accepts loopback over http, by address and name, and no other address', () => {
    for (const url of [
      'http://127.0.0.1:9000/',
      'http://localhost:9000/',
      'http://[::1]:9000/',
      'http://127.0.0.1/',
    ]) {
      expect(check(url, local)).toBe('accepted');
    }
    for (const url of ['http://10.0.0.1:9000/', 'http://foo.localhost:9000/', 'http://127.0.0.1:22/']) {
      expect(check(url, local)).toBe('url_not_public');
    }
  });
});
