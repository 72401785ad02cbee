import { asciiHost } from '@bv/source-url';
import { parse } from 'tldts';

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Userinfo, percent encoding, IPv6 literals, a second port, white space: none of it is part of a host name. */
const foreign = /[@%:[\]\s]/;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const maxHostLength = 253;

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

/** As the port of a URL, which may be left empty. */
const maxPort = 65_535;
const port = /:(\d*)$/;

/**
 * The host of a domain as written: lower case, no scheme, port, path or trailing dot, without one leading `www.`, IDN
 * as punycode. Two domains are the same when this is. Undefined when it is not a registrable host name.
 */
export function normaliseHost(written: string): string | undefined {
  const [authority = ''] = written
    .trim()
    .replace(scheme, '')
    .split(/[/?#\\]/, 1);
  if (Number(port.exec(authority)?.[1] ?? 0) > maxPort) return undefined;
  const unicode = authority.replace(port, '');
  if (foreign.test(unicode)) return undefined;
  const ascii = asciiHost(unicode);
  if (ascii === undefined || !isHostName(ascii)) return undefined;
  const host = ascii.replace(/^www\./, '');
  return isRegistrable(host) ? host : undefined;
}

function isHostName(host: string): boolean {
  return host.length <= maxHostLength && host.split('.').every((part) => label.test(part));
}
