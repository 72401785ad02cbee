import { parse } from 'tldts';

/** Query parameters that say how a reader came, never what is read. */
const trackingParameter =
  /^(utm_.+|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|twclid|yclid|igshid|mc_[ce]id|_hs(enc|mi)|srsltid|ref_src)$/i;

const maxUrlLength = 2048;

export type SourceUrl = { url: string; domain: string };

/**
 * The one form a source's address has everywhere: no tracking parameters, fragment, default port,
 * credentials or trailing slash, so that one page is one source whoever cites it.
 */
export function normalizeSourceUrl(raw: string): SourceUrl | null {
  if (raw.length > maxUrlLength || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const domain = registrableDomain(url.hostname);
  if (domain === null) return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  url.search = withoutTracking(url.search);
  return { url: withoutTrailingSlash(url), domain };
}

/** Works on the text of the query: URLSearchParams would write the parameters that stay in another way. */
function withoutTracking(search: string): string {
  const parameters = search.slice(1).split('&');
  const kept = parameters.filter((each) => !trackingParameter.test(each.split('=', 1)[0] ?? ''));
  return kept.join('&') === '' ? '' : `?${kept.join('&')}`;
}

function withoutTrailingSlash(url: URL): string {
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url.href;
}

/** The part of a host somebody registered, by the Public Suffix List; lower case, null for no public name. */
export function registrableDomain(host: string): string | null {
  return parse(host.trim(), { allowPrivateDomains: true, validateHostname: true }).domain;
}

/** Whether a text is nothing but the name of a public host, as Gemini's chunk titles usually are. */
export function isPublicHost(text: string): boolean {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}.-]*\.[\p{L}\p{N}-]+$/u.test(text)) return false;
  const parsed = parse(text, { allowPrivateDomains: true });
  return parsed.domain !== null && (parsed.isIcann === true || parsed.isPrivate === true);
}
