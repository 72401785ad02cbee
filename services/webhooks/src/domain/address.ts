import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Every IPv4 range that is not the public internet, and the one public address that is a cloud's own. */
const deniedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
].map(parseRange);

// An allow-list: what is not global unicast (link-local, unique local, multicast ...) is refused. So are mapped, compatible
// and translated IPv4 addresses, and those of NAT64, with the well-known or a local prefix.
const allowedV6 = parseRange('2000::/3');
// Teredo (2001::/32) is part of the first range, 6to4 is 2002::/16.
const deniedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(parseRange);

export type AddressPolicy = { allowed: readonly Range[] };

/** Ranges that count as public besides the public ones: tests and the local stack only. */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  return { allowed: allowCidrs.map(parseRange) };
}

/**
 * Whether a connection to this address may be made, decided by its bytes; text that is no address is refused. An IPv6
 * address that carries an IPv4 address needs both to be public: a router may send it on as IPv4.
 */
export function isAddressAllowed(address: string, policy: AddressPolicy): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (policy.allowed.some((range) => inRange(parsed, range))) return true;
  if (parsed.kind() === 'ipv4') return !deniedV4.some((range) => inRange(parsed, range));
  if (!inRange(parsed, allowedV6) || deniedV6.some((range) => inRange(parsed, range))) return false;
  const carried = isatapAddress(parsed.toByteArray());
  return carried === undefined || isAddressAllowed(carried, policy);
}

/**
 * The IPv4 address at the end of an ISATAP address (RFC 5214 6.1): any prefix, then ::0:5efe or ::200:5efe. The two low
 * bits of the identifier's first byte are flags. All other forms that carry IPv4 have a prefix of their own, refused above.
 */
function isatapAddress(bytes: readonly number[]): string | undefined {
  const [flags = 0, ...oui] = bytes.slice(8, 12);
  const isIsatap = (flags & 0xfc) === 0 && oui.join() === [0x00, 0x5e, 0xfe].join();
  return isIsatap ? bytes.slice(12).join('.') : undefined;
}

/** One spelling for an address, so that what was checked and what was connected can be compared. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toNormalizedString();
}

function parseRange(cidr: string): Range {
  return ipaddr.parseCIDR(cidr);
}

function inRange(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}
