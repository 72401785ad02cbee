import { isPublicHost } from './public-host.ts';

const escapedMark = /\\(?=[!-/:-@[-`{-~])/g;
const tag = /<\/?[a-z][a-z0-9-]{0,30}(?:\s[^<>\n]{0,500})?\/?>/gi;
const breadcrumb = /\s[›»→]\s.*$/su;
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const count = /^\d{1,3}$/;
const address =
  /^(?<scheme>https?:\/\/(?:[^\s/@]{1,200}@)?)?(?<host>[^\s/?#:@]{1,253})(?::\d{1,5})?(?:[/?#].*)?$/iu;

/**
 * The hosts of a label that is an address and nothing else ("acme.com", "https://www.acme.com/pricing", "acme.com +2",
 * "acme.com › blog"), null where the label has words of its own. Such a label shows where a link leads; it does not
 * speak of the brand.
 */
export function labelHosts(label: string): string[] | null {
  const plain = label.replace(tag, '').replace(escapedMark, '').replace(breadcrumb, '');
  const parts = plain
    .split(/[\s,;|·]+/u)
    .map((part) => part.replace(edges, ''))
    .filter((part) => part !== '');
  const hosts = parts.filter((part, index) => index === 0 || !count.test(part)).map(hostOf);
  return hosts.length > 0 && hosts.every((host) => host !== null) ? hosts : null;
}

/** Names that are hosts themselves ("Monday.com"): as a label they name the brand. */
export function hostNames(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => labelHosts(name) ?? []));
}

function hostOf(part: string): string | null {
  const { scheme, host = '' } = address.exec(part)?.groups ?? {};
  const bare = host.replace(/^www\./i, '').toLowerCase();
  return bare !== '' && (scheme !== undefined || isPublicHost(bare)) ? bare : null;
}
