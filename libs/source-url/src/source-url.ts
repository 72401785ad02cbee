import { getDomain, parse } from 'tldts';
import { asciiHost } from './ascii-host.ts';

/** Query parameters that say how a reader came, never what is read. */
const trackingParameter =
  /^(utm_.+|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|twclid|yclid|igshid|mc_[ce]id|_hs(enc|mi)|srsltid|ref_src)$/i;

const maxUrlLength = 4096;
/** Longest name DNS knows; a longer host cannot be one and would not fit into a cursor. */
const maxHostLength = 253;

const withPrivate = { allowPrivateDomains: true };

export type SourceUrl = { url: string; domain: string };

/**
 * The one form a source's address has everywhere: no tracking parameters, fragment, default port,
 * credentials or trailing slash, so that one page is one source in all answers. The scheme and `www.` stay: stored
 * addresses are keys, and merging them would count one page as two, before and after the change.
 */
export function normalizeSourceUrl(raw: string): SourceUrl | null {
  if (raw.length > maxUrlLength || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  url.search = withoutTracking(url.search);
  return { url: withoutTrailingSlash(url), domain: sourceDomain(url.hostname) };
}

/** Works on the text of the query: URLSearchParams would write the parameters that stay in another way. */
function withoutTracking(search: string): string {
  const parameters = search.slice(1).split('&');
  const kept = parameters.filter((each) => !trackingParameter.test(each.split('=', 1)[0] ?? ''));
  return kept.join('&') === '' ? '' : `?${kept.join('&')}`;
}

function withoutTrailingSlash(url: URL): string {
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  return url.href;
}

/** Whether a host has a name of the public DNS: what a reader anywhere could open, no address and no single label. */
export function isPublicName(host: string): boolean {
  if (asciiHost(host) !== host) return false;
  return getDomain(host, { ...withPrivate, validateHostname: true }) !== null || isSuffix(host);
}

/** What a source is counted under, of a URL or a host: its registrable domain, or the host where there is none. */
export function sourceDomain(urlOrHost: string): string {
  const host = hostOf(urlOrHost);
  const domain = getDomain(host, withPrivate) ?? host;
  // The operator of a suffix (carrd.co, gov.uk) has its own site there; `www` is not a customer's name.
  const bare = domain.replace(/^www\./, '');
  return isSuffix(bare) ? bare : domain;
}

/** Whether a host is itself on the Public Suffix List; top-level names apart, so that www.com stays what it is. */
function isSuffix(host: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(host, withPrivate);
  return host.includes('.') && publicSuffix === host && (isIcann === true || isPrivate === true);
}

/** The host in the form domains are stored in; where there is none, the text in lower case. */
function hostOf(urlOrHost: string): string {
  const url = urlOrHost.includes('://') ? urlOrHost : `http://${urlOrHost}`;
  const host = URL.canParse(url) ? new URL(url).hostname : urlOrHost.toLowerCase();
  return (asciiHost(host) ?? host).slice(0, maxHostLength);
}
