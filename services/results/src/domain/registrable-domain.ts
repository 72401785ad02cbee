import { getDomain } from 'tldts';

/** The registrable domain of a URL or host by the Public Suffix List; the text itself where there is none. */
export function registrableDomain(urlOrHost: string): string {
  return getDomain(urlOrHost, { allowPrivateDomains: true }) ?? urlOrHost.toLowerCase();
}
