import type { Piece } from './edited-text.ts';
import { isPublicHost } from '@bv/source-url';

const escapedMark = /\\(?=[!-/:-@[-`{-~])/g;
const tag = /<\/?[a-z][a-z0-9-]{0,30}(?:\s[^<>\n]{0,500})?\/?>/gi;
const breadcrumb = /\s[›»→]\s.*$/su;
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const count = /^\d{1,3}$/;
const address =
  /^(?<scheme>https?:\/\/(?:[^\s/@]{1,200}@)?)?(?<host>[^\s/?#:@]{1,253})(?::\d{1,5})?(?:[/?#].*)?$/iu;

/** Separators of the parts of a label: "acme.com - Pricing", "Pricing | acme.com", "Pricing (acme.com)". */
const partBreak = /(\s{1,5}[-–|·•~]\s{1,5}|\s{0,5}[—―]\s{0,5}|\s{1,5}(?=\())/u;
/** Words that introduce an address. */
const introduction = new RegExp(
  String.raw`^[^\p{L}\p{N}]{0,5}(?:${[
    'sources?|via|from|website|site|link|url|homepage|read more|see|see also|more at|more on|visit',
    'quellen?|siehe|fuentes?|véase|fontes?|fonti?|bron|bronnen|källa|källor|kilder?|lähde|lähteet|źródło|źródła',
    '出典|参照|来源|來源|출처|स्रोत|sumber|kaynak|zdroj|forrás',
  ].join('|')})(?:\s{0,3}[:：]\s{0,3}|\s{1,5}(?:at|on|:)?\s{0,3})`,
  'iu',
);
/** "acme.com: Pricing". */
const leadingAddress = /^(\S{1,260}?)[:：]\s/u;

/**
 * The pieces of a link's label without addresses, because these only show the target of the link. "Source: acme.com" and
 * "acme.com - Pricing" do not mention the brand. An address whose host is one of `hostNames` stays. `start` is the
 * label's place in the text.
 */
export function labelPieces(label: string, start: number, hostNames: ReadonlySet<string>): Piece[] {
  if (labelHosts(label) !== null) return addressPieces(label, start, hostNames);
  let end = start;
  return label.split(partBreak).flatMap((part, index): Piece[] => {
    const from = end;
    end += part.length;
    return index % 2 === 1 ? [{ start: from, end }] : addressPieces(part, from, hostNames);
  });
}

/** For a part that is an address, its hosts that are names; any other part unchanged. */
function addressPieces(part: string, start: number, hostNames: ReadonlySet<string>): Piece[] {
  const end = start + part.length;
  const leading = leadingAddress.exec(part)?.[1];
  if (leading !== undefined && labelHosts(leading) !== null)
    return [...addressPieces(leading, start, hostNames), ' ', { start: start + leading.length, end }];
  const hosts = labelHosts(part) ?? labelHosts(part.replace(introduction, ''));
  const named = hosts?.filter((host) => hostNames.has(host));
  if (named === undefined || named.length === hosts?.length) return [{ start, end }];
  // The empty spans keep the edit within the address.
  return [{ start, end: start }, named.length > 0 ? named.join(' ') : ' ', { start: end, end }];
}

/**
 * The hosts of a label that consists of addresses only, null if it has other words. Examples of such labels:
 * "acme.com", "https://www.acme.com/pricing", "acme.com +2" and "acme.com › blog".
 */
function labelHosts(label: string): string[] | null {
  const plain = label.replace(tag, '').replace(escapedMark, '').replace(breadcrumb, '');
  const parts = plain
    .split(/[\s,;|·]+/u)
    .map((part) => part.replace(edges, ''))
    .filter((part) => part !== '');
  const hosts = parts.filter((part) => !count.test(part)).map(parseHost);
  return hosts.length > 0 && hosts.every((host) => host !== null) ? hosts : null;
}

/** The names that are hosts ("Monday.com"): such a host in a label mentions the brand. */
export function hostNames(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name.includes('.')).flatMap((name) => labelHosts(name) ?? []));
}

function parseHost(part: string): string | null {
  const { scheme, host = '' } = address.exec(part)?.groups ?? {};
  const bare = host.replace(/^www\./i, '').toLowerCase();
  return bare !== '' && (scheme !== undefined || isPublicHost(bare)) ? bare : null;
}
