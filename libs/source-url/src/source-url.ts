import { getDomain, parse } from 'tldts';
import { asciiHost } from './ascii-host.ts';

/** Query parameters that identify the referrer or campaign and do not change the page. */
const trackingParameter =
  /^(utm_.+|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|twclid|yclid|igshid|mc_[ce]id|_hs(enc|mi)|srsltid|ref_src)$/i;

const maxUrlLength = 4096;
/** Maximum length of a DNS name. A longer host would not fit into a cursor. */
const maxHostLength = 253;

const maxRemembered = 5_000;

const withPrivate = { allowPrivateDomains: true };

export type SourceUrl = { url: string; domain: string };

/**
 * Normalises the URL of a source: no tracking parameters, fragment, default port, credentials or trailing slash. So one
 * page is one source in all answers. The scheme and `www.` stay: stored URLs are keys, and a change would split the
 * counts of a page. Null if it is not an http(s) URL, or it or its host is too long.
 */
export function normalizeSourceUrl(raw: string): SourceUrl | null {
  const url = raw.length > maxUrlLength ? null : URL.parse(raw);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.hostname.length > maxHostLength) return null;
  // Each assignment builds the whole URL again.
  const { href } = url;
  if (href.includes('#')) url.hash = '';
  if (href.includes('@')) {
    url.username = '';
    url.password = '';
  }
  if (href.includes('?')) url.search = withoutTracking(url.search);
  const normalized = withoutTrailingSlash(url);
  // Percent-encoding makes a URL up to nine times as long.
  return normalized.length > maxUrlLength ? null : { url: normalized, domain: sourceDomain(url.hostname) };
}

/** Edits the query as text, because URLSearchParams would re-encode the remaining parameters. */
function withoutTracking(search: string): string {
  const parameters = search.slice(1).split('&');
  const kept = parameters.filter((each) => !trackingParameter.test(each.split('=', 1)[0] ?? ''));
  return kept.join('&') === '' ? '' : `?${kept.join('&')}`;
}

function withoutTrailingSlash(url: URL): string {
  const { pathname } = url;
  if (pathname !== '/' && pathname.endsWith('/')) url.pathname = pathname.replace(/(?<!\/)\/+$/, '');
  return url.href;
}

/** Whether a host is a name in the public DNS: not an IP address and not a single label. */
export const isPublicName = remember((host) => {
  if (asciiHost(host) !== host) return false;
  return getDomain(host, { ...withPrivate, validateHostname: true }) !== null || isSuffix(host);
});

/** The domain under which a source is counted: the registrable domain of a URL or host, or the host if it has none. */
export function sourceDomain(urlOrHost: string): string {
  return urlOrHost.includes('://') ? domainOf(urlOrHost) : domainOfHost(urlOrHost);
}

const domainOfHost = remember(domainOf);

function domainOf(urlOrHost: string): string {
  const host = toHost(urlOrHost);
  const domain = getDomain(host, withPrivate) ?? host;
  // The owner of a suffix (carrd.co, gov.uk) has a site at `www`, which is not a registered name below the suffix.
  const bare = domain.replace(/^www\./, '');
  return bare !== domain && isSuffix(bare) ? bare : domain;
}

/** Remembers results, because answers cite the same sites again and again. */
function remember<T>(compute: (host: string) => T): (host: string) => T {
  const known = new Map<string, T>();
  return (host) => {
    const found = known.get(host);
    if (found !== undefined) return found;
    const result = compute(host);
    if (host.length > maxHostLength) return result;
    if (known.size >= maxRemembered) known.clear();
    known.set(host, result);
    return result;
  };
}

/** Whether a host is on the Public Suffix List. Top-level names are excluded, so that www.com stays www.com. */
function isSuffix(host: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(host, withPrivate);
  return host.includes('.') && publicSuffix === host && (isIcann === true || isPrivate === true);
}

/** The normalised host of a URL or host. The text in lower case if it has none. */
function toHost(urlOrHost: string): string {
  const url = urlOrHost.includes('://') ? urlOrHost : `http://${urlOrHost}`;
  const host = URL.parse(url)?.hostname ?? urlOrHost.toLowerCase();
  return (asciiHost(host) ?? host).slice(0, maxHostLength);
}
