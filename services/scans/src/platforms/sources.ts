import { maxUnresolvedSources } from '@bv/contract';
import { isPublicName, normalizeSourceUrl, resolveLink } from '@bv/source-url';
import type { ParsedAnswer } from './platform.ts';

const maxSources = 200;
/** A body may list half a million URLs; parsing all of them would block the event loop. */
const maxExamined = 5_000;

type Entry = { url: string; domain: string; title: string | null };
/** `names`: what the body says of the page besides its URL, for a URL that is a redirect. */
type Link = {
  url?: string | null | undefined;
  title?: string | null | undefined;
  names?: (string | null | undefined)[];
};

/** Collects an answer's sources: one entry for each page. A page that is cited and retrieved counts as cited. */
export class SourceList {
  readonly #cited = new Map<string, Entry>();
  readonly #retrieved = new Map<string, Entry>();
  readonly #unresolved = new Set<string>();
  #examined = 0;

  cite(link: Link | null | undefined): void {
    this.#add(this.#cited, link);
  }

  retrieve(link: Link | null | undefined): void {
    this.#add(this.#retrieved, link);
  }

  toCitations(): Pick<ParsedAnswer, 'sources' | 'sourcesUnresolved'> {
    const onlyRetrieved = [...this.#retrieved.values()].filter((entry) => !this.#cited.has(entry.url));
    const cited = Array.from(this.#cited.values(), (entry) => ({
      ...entry,
      title: entry.title ?? this.#retrieved.get(entry.url)?.title ?? null,
      cited: true,
    }));
    const retrieved = onlyRetrieved.map((entry) => ({ ...entry, cited: false }));
    const sources = [...cited, ...retrieved]
      .slice(0, maxSources)
      .map((entry, index) => ({ position: index + 1, ...entry }));
    return { sources, sourcesUnresolved: Math.min(this.#unresolved.size, maxUnresolvedSources) };
  }

  #add(entries: Map<string, Entry>, link: Link | null | undefined): void {
    this.#examined += 1;
    if (entries.size >= maxSources || this.#examined > maxExamined) return;
    const { url, title, names } = link ?? {};
    const page = resolveLink(url ?? '', names);
    if (page === null && entries === this.#cited) this.#unresolved.add(url ?? '');
    const source = normalizeSourceUrl(page ?? '');
    // Readers cannot open an address of a private network.
    if (source === null || !isPublicName(source.domain)) return;
    const existing = entries.get(source.url);
    const text = title?.trim() ? title.trim() : null;
    if (existing === undefined) entries.set(source.url, { ...source, title: text });
    else existing.title ??= text;
  }
}
