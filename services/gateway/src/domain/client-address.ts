import ipaddr from 'ipaddr.js';

/**
 * The address whose failed attempts are counted: the socket's, or with trusted proxies in front the entry of
 * X-Forwarded-For that the outermost of them wrote. An IPv6 client has a /64 at hand, so that is what counts.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const entries = (forwardedFor ?? '').split(',').map((entry) => entry.trim());
  const entry = trustedProxies > 0 ? entries.at(Math.max(-entries.length, -trustedProxies)) : undefined;
  return (entry === undefined ? undefined : addressOf(entry)) ?? addressOf(socketAddress ?? '') ?? 'unknown';
}

/** Undefined for what is no address, `1` and `0x7f.1` included. One parser alone decides whether and which. */
function addressOf(text: string): string | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare;
  // The zone names an interface of this host or of a proxy: `fe80::1%eth0.100`.
  const [unzoned = ''] = bare.split('%', 1);
  if (!ipaddr.IPv6.isValid(unzoned)) return undefined;
  const address = ipaddr.IPv6.parse(unzoned);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
