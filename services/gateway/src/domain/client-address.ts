import ipaddr from 'ipaddr.js';

/**
 * The address whose failed attempts are counted. Without trusted proxies it is the address of the socket, else the entry
 * of X-Forwarded-For that the outermost trusted proxy added. IPv6 addresses are counted as /64 networks, because one
 * client usually controls a whole /64.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const entries = (forwardedFor ?? '').split(',').map((entry) => entry.trim());
  const entry = trustedProxies > 0 ? entries.at(Math.max(-entries.length, -trustedProxies)) : undefined;
  return (
    (entry === undefined ? undefined : parseAddress(entry)) ?? parseAddress(socketAddress ?? '') ?? 'unknown'
  );
}

/** Undefined for an invalid address, including short forms such as `1` and `0x7f.1`. Only one parser decides. */
function parseAddress(text: string): string | undefined {
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
