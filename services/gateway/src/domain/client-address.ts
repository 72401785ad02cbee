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
  const fallback = parse(socketAddress ?? '');
  const entries = (forwardedFor ?? '').split(',').map((entry) => entry.trim());
  const entry = trustedProxies > 0 ? entries.at(Math.max(-entries.length, -trustedProxies)) : undefined;
  const address = (entry === undefined ? undefined : parse(entry)) ?? fallback;
  return address === undefined ? 'unknown' : grouped(address);
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  // Without this check `1` and `0x7f.1` would be taken for addresses.
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare);
}

function grouped(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
