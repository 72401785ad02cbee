import { isIPv4, isIPv6 } from 'node:net';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
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
  ['fe80::1%eth0.100', undefined, 0, 'fe80:0:0:0::/64'],
  ['10.0.0.1', 'fe80::1%br-0a1b2c', 1, 'fe80:0:0:0::/64'],
  ['10.0.0.1', '[2001:db8::1%eth0.100]:443', 1, '2001:db8:0:0::/64'],
  ['10.0.0.1', '::ffff:2.2.2.2%eth0', 1, '2.2.2.2'],
  ['10.0.0.1', '2.2.2.2%eth0', 1, '10.0.0.1'],
  ['10.0.0.1', '02.2.2.2', 1, '10.0.0.1'],
  ['10.0.0.1', '[2001:db8::1', 1, '10.0.0.1'],
  ['10.0.0.1', '%eth0', 1, '10.0.0.1'],
])('%s behind %s, %i trusted: %s', (socket, forwardedFor, trusted, expected) => {
  expect(clientAddress(socket, forwardedFor, trusted)).toBe(expected);
});

/** Almost valid addresses are more likely to confuse a parser than random text. */
const part = fc.constantFrom(
  '::',
  ':',
  '.',
  '%',
  '[',
  ']',
  '/',
  '-',
  ' ',
  'fe80',
  '1',
  '0',
  '255',
  '256',
  'ffff',
  'eth0',
  '0x7f',
);
const nearMiss = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
const zoned = fc.tuple(fc.ipV6(), fc.string()).map(([address, zone]) => `${address}%${zone}`);
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.ipV4(), fc.ipV6(), nearMiss, zoned);

test('an address of any text is a client address or unknown: parsing never throws', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.nat(3), (socket, forwardedFor, trusted) => {
      const address = clientAddress(socket, forwardedFor, trusted);
      const network = address.endsWith('::/64') ? address.slice(0, -'/64'.length) : '';
      expect(address === 'unknown' || isIPv4(address) || isIPv6(network)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test('an address with any zone is the address without it', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.stringMatching(/^[^,\]\s]{1,20}$/), (address, zone) => {
      expect(clientAddress('10.0.0.1', `${address}%${zone}`, 1)).toBe(clientAddress(address, undefined, 0));
    }),
  );
});
