import { getDomain } from 'tldts';

/** Longest name DNS knows; a longer host cannot be one and would not fit into a cursor. */
const HOST_LIMIT = 253;

/** The host in the form domains are stored in: lower case, punycode, no trailing dot. */
function hostOf(urlOrHost: string): string {
  const url = urlOrHost.includes('://') ? urlOrHost : `http://${urlOrHost}`;
  const host = URL.canParse(url) ? new URL(url).hostname : urlOrHost.toLowerCase();
  return host.replace(/\.$/, '').slice(0, HOST_LIMIT);
}

/** The registrable domain of a URL or host by the Public Suffix List; the host itself where there is none. */
export function registrableDomain(urlOrHost: string): string {
  const host = hostOf(urlOrHost);
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
