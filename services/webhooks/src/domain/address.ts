import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** All IPv4 ranges outside the public internet, and 168.63.129.16, an internal address of Azure. */
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

// An allow-list: only global unicast is allowed. It excludes link-local, unique local and multicast addresses, mapped,
// compatible and translated IPv4 addresses, and NAT64 with the well-known or a local prefix.
const allowedV6 = parseRange('2000::/3');
// Teredo (2001::/32) is part of the first range, 6to4 is 2002::/16.
const deniedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(parseRange);

export type AddressPolicy = { allowed: readonly Range[] };

/** `allowCidrs` count as public too: for tests and the local stack only. */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  return { allowed: allowCidrs.map(parseRange) };
}

/**
 * Returns whether a connection to this address is allowed. Other text is not allowed. If an IPv6 address embeds an IPv4
 * address, both must be public: a router may forward the packets over IPv4.
 */
export function isAddressAllowed(address: string, policy: AddressPolicy): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (policy.allowed.some((range) => inRange(parsed, range))) return true;
  if (parsed.kind() === 'ipv4') return !deniedV4.some((range) => inRange(parsed, range));
  if (!inRange(parsed, allowedV6) || deniedV6.some((range) => inRange(parsed, range))) return false;
  const embedded = isatapAddress(parsed.toByteArray());
  return embedded === undefined || isAddressAllowed(embedded, policy);
}

/**
 * The IPv4 address at the end of an ISATAP address (RFC 5214 6.1): any prefix, then ::0:5efe or ::200:5efe. The two low
 * bits of the identifier's first byte are flags. All other forms that embed IPv4 have their own prefix, excluded above.
 */
function isatapAddress(bytes: readonly number[]): string | undefined {
  const [flags = 0, ...oui] = bytes.slice(8, 12);
  const isIsatap = (flags & 0xfc) === 0 && oui.join() === [0x00, 0x5e, 0xfe].join();
  return isIsatap ? bytes.slice(12).join('.') : undefined;
}

/** Returns the canonical form of an address, so that the checked and the connected address can be compared. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toNormalizedString();
}

function parseRange(cidr: string): Range {
  return ipaddr.parseCIDR(cidr);
}

function inRange(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}
