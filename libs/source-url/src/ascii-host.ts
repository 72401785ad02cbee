import { domainToASCII } from 'node:url';

/**
 * The form in which hosts are compared and stored: lower case, IDN as punycode, no trailing dot. Undefined for what no
 * URL can have as its host.
 */
export function asciiHost(written: string): string | undefined {
  const host = domainToASCII(written).replace(/\.$/, '');
  return host === '' || hasInvalidPunycode(host) ? undefined : host;
}

/** Node validates `xn--` labels only in a host that is not ASCII as a whole. */
function hasInvalidPunycode(host: string): boolean {
  return host.includes('xn--') && domainToASCII(`ü.${host}`) === '';
}
