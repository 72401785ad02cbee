import { domainToASCII } from 'node:url';

/**
 * Normalises a host for comparison and storage: lower case, IDN as punycode, no trailing dot. Undefined if the text
 * cannot be the host of a URL.
 */
export function asciiHost(written: string): string | undefined {
  const host = domainToASCII(written).replace(/\.$/, '');
  return host === '' || hasInvalidPunycode(host) ? undefined : host;
}

/** Node validates `xn--` labels only in a host with other non-ASCII characters, so one is prepended. */
function hasInvalidPunycode(host: string): boolean {
  return host.includes('xn--') && domainToASCII(`ü.${host}`) === '';
}
