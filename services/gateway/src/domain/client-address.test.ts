import { expect, test } from '@jest/globals';
import { clientAddress } from './client-address.ts';

test.each([
  // socket, X-Forwarded-For, trusted proxies, address
  ['203.0.113.9', undefined, 0, '203.0.113.9'],
  ['203.0.113.9', '1.1.1.1', 0, '203.0.113.9'],
  ['::ffff:203.0.113.9', undefined, 0, '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', undefined, 0, '2001:db8:1:2::/64'],
  ['10.0.0.1', '1.1.1.1, 2.2.2.2', 1, '2.2.2.2'],
  ['10.0.0.1', '1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
  ['10.0.0.1', '1.1.1.1', 3, '1.1.1.1'],
  ['10.0.0.1', undefined, 1, '10.0.0.1'],
  ['10.0.0.1', '', 1, '10.0.0.1'],
  ['10.0.0.1', '1.1.1.1, nonsense', 1, '10.0.0.1'],
  ['10.0.0.1', '0x7f.1', 1, '10.0.0.1'],
  ['10.0.0.1', '2.2.2.2:8080', 1, '2.2.2.2'],
  ['10.0.0.1', '[2001:db8::1]:8080', 1, '2001:db8:0:0::/64'],
  ['10.0.0.1', '::ffff:2.2.2.2', 1, '2.2.2.2'],
  [undefined, undefined, 0, 'unknown'],
])('%s behind %s, %i trusted: %s', (socket, forwardedFor, trusted, expected) => {
  expect(clientAddress(socket, forwardedFor, trusted)).toBe(expected);
});
