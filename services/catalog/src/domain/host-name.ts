import { domainToASCII } from 'node:url';
import { parse } from 'tldts';

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Userinfo, percent encoding, IPv6 literals, a second port, white space: none of it is part of a host name. */
const foreign = /[@%:[\]\s]/;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const longestHost = 253;

/**
 * Top-level names outside the public DNS. The list's default rule would call names below them registrable;
 * `example` and `test` are left to it, as names made for documentation and trials.
 */
const neverRegistrable: ReadonlySet<string> = new Set(['internal', 'invalid', 'local', 'localhost', 'onion']);

/** Judged by the public part of the list: a company may well run its site on a private suffix (github.io). */
function isRegistrable(host: string): boolean {
  const { domain, isIp, publicSuffix } = parse(host, { extractHostname: false });
  return isIp === false && domain !== null && !neverRegistrable.has(publicSuffix ?? '');
}

/** A leading `www.` does not matter, unless what is left is no host name of its own (www.com). */
function withoutWww(host: string): string {
  let bare = host;
  while (bare.startsWith('www.') && isRegistrable(bare.slice(4))) bare = bare.slice(4);
  return bare;
}

/**
 * The host of a domain as written: lower case, no scheme, `www.`, port, path or trailing dot, IDN as punycode.
 * Two domains are the same when this is. Undefined when it is not a registrable host name.
 */
export function normaliseHost(written: string): string | undefined {
  const [authority = ''] = written
    .trim()
    .replace(scheme, '')
    .split(/[/?#\\]/, 1);
  const unicode = authority.replace(/:\d{0,5}$/, '');
  if (foreign.test(unicode)) return undefined;
  const host = domainToASCII(unicode).replace(/\.$/, '');
  if (host.length > longestHost || !host.split('.').every((part) => label.test(part))) return undefined;
  return isRegistrable(host) ? withoutWww(host) : undefined;
}
