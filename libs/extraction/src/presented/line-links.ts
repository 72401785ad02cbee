import { sourceDomain } from '@bv/source-url';
import { toLetters } from '../names/legal-forms.ts';
import type { Span } from '../text/span.ts';

/** A link of a line. `isLabel`: its label is a part of the text, not the mark of a source. `host`: letters of the host. */
export type Link = { label: Span; domain: string; host: string; isLabel: boolean };

const maxLinks = 20;
const none: readonly Link[] = [];
const link = /\[([^[\]\n]{1,200})\]\(\s{0,3}<?https?:\/\/([^\s/)>:?#]{1,253})/gi;
const bare = /https?:\/\/([^\s)\]>"'|/:?#]{1,253})/gi;
const address = /^(?:https?:\/\/)?(?:[\p{L}\p{N}-]{1,63}\.){1,5}[a-z]{2,24}(?:[/:?#].*)?$/iu;

/** The links of a line, at most 20. */
export function readLinks(line: string, start: number): readonly Link[] {
  if (!line.includes('://')) return none;
  const links: Link[] = [];
  for (const { 1: label = '', 2: host = '', index } of line.matchAll(link)) {
    const from = start + index + 1;
    const isLabel =
      !/[(（]\s{0,5}$/.test(line.slice(Math.max(0, index - 6), index)) &&
      /\p{L}/u.test(label) &&
      !(label.includes('.') && address.test(label.trim()));
    links.push({ label: { start: from, end: from + label.length }, ...readHost(host), isLabel });
    if (links.length >= maxLinks) return links;
  }
  if (links.length > 0) return links;
  for (const { 1: host = '', index } of line.matchAll(bare)) {
    links.push({
      label: { start: start + index, end: start + index },
      ...readHost(host),
      isLabel: false,
    });
    if (links.length >= maxLinks) break;
  }
  return links;
}

function readHost(written: string): Pick<Link, 'domain' | 'host'> {
  const domain = sourceDomain(written);
  return { domain, host: hostLetters(domain) };
}

/** The letters of the label of a domain, to compare it with a name. */
export const hostLetters = (domain: string): string => toLetters(domain.replace(/\..*/s, ''));
