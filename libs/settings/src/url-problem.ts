export type UrlRules = {
  /** In lower case, without the colon. */
  schemes: readonly string[];
  /** Data store URLs: no fragment, and an `@` only where it cannot be part of a password. */
  store?: boolean;
  /** Paths are appended to it, so it has neither query nor fragment. */
  base?: boolean;
  /** The query may contain the host (`?host=/directory`). */
  hostParameter?: boolean;
  /** Nothing after host and port. */
  authorityOnly?: boolean;
  /** Query parameters by name, with the form of their values. */
  parameters?: Readonly<Record<string, RegExp>>;
  /** Whether there may be others than `parameters`. */
  otherParameters?: boolean;
};

const encodeHint = 'percent-encode the special characters of user name and password';

/** Returns why a text is not a URL of this kind, or undefined. The message never quotes the text. */
export function urlProblem(text: string, rules: UrlRules): string | undefined {
  if (text === '') return `expected ${kinds(rules)}, is empty`;
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(text)?.[1];
  if (scheme === undefined || !rules.schemes.includes(scheme.toLowerCase()))
    return `expected ${kinds(rules)}`;
  return partProblem(text, split(text.slice(scheme.length + 3)), rules) ?? hostProblem(text, rules);
}

/** Why a text is not the path of a Unix socket, with a query where there are `parameters`. */
export function pathProblem(text: string, rules: UrlRules): string | undefined {
  const queryAt = text.indexOf('?');
  const path = queryAt < 0 ? text : text.slice(0, queryAt);
  // A URL without its scheme reads as a path, with a password in it.
  if (/[@#]/.test(path) || hasControl(text)) return `expected the path of a socket, or ${kinds(rules)}`;
  return queryAt < 0 ? undefined : queryProblem(text.slice(queryAt + 1), rules);
}

/** Checks the parts as written, because parsers move or drop what they do not expect. */
function partProblem(text: string, parts: Parts, rules: UrlRules): string | undefined {
  const { store, base } = rules;
  const { userinfo, path, query, fragment } = parts;
  if (!isEncoded(userinfo)) return encodeHint;
  if (hasControl(text) || /[\s\\]/.test(userinfo + path))
    return 'contains a space, control character or backslash';
  if (store && (fragment || path.includes('@') || hasStrayAt(query ?? ''))) return encodeHint;
  if (rules.authorityOnly && hasMoreThanAuthority(parts))
    return `expected nothing after host and port; ${encodeHint}`;
  if (base && (query !== undefined || fragment)) return 'expected a URL without query and fragment';
  return queryProblem(query ?? '', rules);
}

const hasMoreThanAuthority = ({ path, query }: Parts): boolean => !/^\/?$/.test(path) || query !== undefined;

/** Names only known parameters, because an unknown one may be a part of a password. */
function queryProblem(query: string, { parameters, otherParameters }: UrlRules): string | undefined {
  if (parameters === undefined) return undefined;
  for (const [name, value] of new URLSearchParams(query)) {
    const form = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (form === undefined && !otherParameters)
      return `contains a query parameter other than ${Object.keys(parameters).join(' and ')}`;
    if (form?.test(value) === false) return `contains an unknown value of ${name}`;
  }
  return undefined;
}

function hostProblem(text: string, { hostParameter }: UrlRules): string | undefined {
  const url = URL.parse(text);
  if (url === null) return `expected one URL with a valid host and port; ${encodeHint}`;
  if (url.hostname.includes(',')) return 'expected one host, not a list';
  const hasHost = url.hostname !== '' || (hostParameter === true && url.searchParams.has('host'));
  if (!hasHost) return 'has no host';
  return isDecodable(url.pathname) ? undefined : 'contains a malformed percent-encoding';
}

const kinds = ({ schemes }: UrlRules): string =>
  `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;

type Parts = { userinfo: string; path: string; query: string | undefined; fragment: boolean };

/** Splits by the delimiters only. */
function split(afterScheme: string): Parts {
  const [beforeFragment = '', ...fragments] = afterScheme.split('#');
  const queryAt = beforeFragment.indexOf('?');
  const beforeQuery = queryAt < 0 ? beforeFragment : beforeFragment.slice(0, queryAt);
  const pathAt = beforeQuery.indexOf('/');
  const authority = pathAt < 0 ? beforeQuery : beforeQuery.slice(0, pathAt);
  return {
    userinfo: authority.slice(0, Math.max(0, authority.lastIndexOf('@'))),
    path: pathAt < 0 ? '' : beforeQuery.slice(pathAt),
    query: queryAt < 0 ? undefined : beforeFragment.slice(queryAt + 1),
    fragment: fragments.length > 0,
  };
}

/** RFC 3986: delimiters must be percent-encoded in user name and password. */
function isEncoded(userinfo: string): boolean {
  return !/[@[\]]/.test(userinfo) && isDecodable(userinfo);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The value of a named parameter may contain an `@`. Any other `@` ends a password that contains a `?`. */
const hasStrayAt = (query: string): boolean =>
  query.split('&').some((part) => part.includes('@') && !/^[a-z_][\w.-]*=/i.test(part));

const hasControl = (text: string): boolean => /\p{Cc}/u.test(text);
