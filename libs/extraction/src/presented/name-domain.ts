import type { Span } from '../text/span.ts';
import { hostLetters, type Link } from './line-links.ts';

/** Shorter labels of hosts are parts of many names. */
const minLabel = 4;
/** Marks between a name and the ends of its link. */
const maxMarks = 6;

/** The cited domains by their label, to find the one that has a name. */
export function labelledDomains(
  sources: readonly { domain: string; cited: boolean }[],
): ReadonlyMap<string, string> {
  const cited = sources.filter((source) => source.cited);
  return new Map(cited.map(({ domain }) => [hostLetters(domain), domain]));
}

/** The domain of the link of a name: the name is its label, or its host has the name. `letters` are those of the name. */
export function linkedDomain(letters: string, { start, end }: Span, links: readonly Link[]): string | null {
  for (const { label, domain, host, isLabel } of links) {
    const isInside = isLabel && label.start <= start && label.end >= end;
    if (isInside && label.end - label.start <= end - start + maxMarks) return domain;
    if (letters === host) return domain;
    const isPart = letters.startsWith(host) || host.startsWith(letters);
    if (isPart && Math.min(host.length, letters.length) >= minLabel) return domain;
  }
  return null;
}
