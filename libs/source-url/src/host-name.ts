import { asciiHost } from './ascii-host.ts';
import { parse } from 'tldts';

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Characters of userinfo, percent encoding, IPv6 literals, a second port and white space. */
const forbidden = /[@%:[\]\s]/;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const maxHostLength = 253;

/**
 * Top-level names outside the public DNS. The default rule of the public suffix list would accept names below them.
 * `example` and `test` are accepted, as names for documentation and tests.
 */
const nonPublicSuffixes: ReadonlySet<string> = new Set([
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
]);

/** Ignores private suffixes of the public suffix list: a company may have its site on one (github.io). */
function isRegistrable(host: string): boolean {
  const { domain, isIp, publicSuffix } = parse(host, { extractHostname: false });
  return isIp === false && domain !== null && !nonPublicSuffixes.has(publicSuffix ?? '');
}

/** A URL may have an empty port. */
const maxPort = 65_535;
const port = /:(\d*)$/;

/**
 * Returns the host of a domain or URL: lower case, IDN as punycode, without scheme, port, path, trailing dot and one
 * leading `www.`. Two domains are equal if their hosts are. Undefined if it is not a registrable host name.
 */
export function normaliseHost(input: string): string | undefined {
  const [authority = ''] = input
    .trim()
    .replace(scheme, '')
    .split(/[/?#\\]/, 1);
  if (Number(port.exec(authority)?.[1] ?? 0) > maxPort) return undefined;
  const unicode = authority.replace(port, '');
  if (forbidden.test(unicode)) return undefined;
  const ascii = asciiHost(unicode);
  if (ascii === undefined || !isHostName(ascii)) return undefined;
  const host = ascii.replace(/^www\./, '');
  return isRegistrable(host) ? host : undefined;
}

function isHostName(host: string): boolean {
  return host.length <= maxHostLength && host.split('.').every((part) => label.test(part));
}
