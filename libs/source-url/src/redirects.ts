import { getPublicSuffix } from 'tldts';
import { isPublicHost } from './public-host.ts';
import { normalizeSourceUrl } from './source-url.ts';

type RedirectForm = {
  host: RegExp;
  path: RegExp;
  /** Parameters that may hold the address of the page, as it is or in base64 after "a1". */
  parameters: readonly string[];
};

/** Links by which platforms and search pages lead to a page through their own site. */
const redirectForms: readonly RedirectForm[] = [
  // AI Overviews have `/goto` with an encrypted address.
  {
    host: /^(?:[a-z0-9-]+\.)?google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/,
    path: /^\/(?:goto|url|imgres|aclk|translate)$/,
    parameters: ['q', 'url', 'u', 'imgrefurl', 'adurl'],
  },
  // Gemini's redirects have no address. They expire.
  { host: /^vertexaisearch\.cloud\.google\.com$/, path: /./, parameters: [] },
  { host: /./, path: /\/grounding-api-redirect\//, parameters: [] },
  { host: /^(?:www\.)?bing\.com$/, path: /^\/(?:ck\/a|alink\/link)$/, parameters: ['u', 'url'] },
  { host: /^(?:www\.)?duckduckgo\.com$/, path: /^\/l\/$/, parameters: ['uddg'] },
  { host: /^(?:www\.)?youtube\.com$/, path: /^\/redirect$/, parameters: ['q'] },
];

const maxRedirects = 3;

/**
 * The page that a link leads to: the link itself, or the page behind a redirect of a platform. `names` is what else the
 * answer says of the page: a domain, the name of its site, or the address of its icon. If only the site is known, the
 * page is its root. Null if the page stays unknown, as when the names are those of the owner of the redirect.
 */
export function resolveLink(link: string, names: readonly (string | null | undefined)[] = []): string | null {
  let page: string | null = link;
  let owner = '';
  for (let redirects = 0; page !== null && redirects <= maxRedirects; redirects += 1) {
    const url = URL.parse(page);
    const form =
      url && redirectForms.find(({ host, path }) => host.test(url.hostname) && path.test(url.pathname));
    if (!url || !form) return page;
    owner = ownerOf(url.hostname);
    page = findAddress(url, form);
  }
  const host = names.map(namedHost).find((found) => found !== '' && ownerOf(found) !== owner);
  return host === undefined ? null : `https://${host}/`;
}

function findAddress({ searchParams }: URL, { parameters }: RedirectForm): string | null {
  const values = parameters.map((parameter) => searchParams.get(parameter) ?? '');
  return values.map(decode).find((value) => normalizeSourceUrl(value) !== null) ?? null;
}

const decode = (value: string): string =>
  value.startsWith('a1') ? Buffer.from(value.slice(2), 'base64url').toString() : value;

/** An icon's address names the site in a parameter; its own host is that of the service of icons. */
function namedHost(name: string | null | undefined): string {
  const icon = URL.parse(name ?? '')?.searchParams;
  const site = (icon === undefined ? name : (icon.get('url') ?? icon.get('domain'))) ?? '';
  const host = (URL.parse(site)?.hostname ?? site).trim().toLowerCase();
  return isPublicHost(host) ? host : '';
}

/** The host without `www.` and suffix: google.co.uk and www.google.com have the same owner. */
const ownerOf = (host: string): string =>
  host.slice(0, -(getPublicSuffix(host)?.length ?? 0) || undefined).replace(/^www\./, '');
