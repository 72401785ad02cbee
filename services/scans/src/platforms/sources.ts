import { isPublicName, normalizeSourceUrl } from '@bv/source-url';
import type { Source } from './platform.ts';

const maxSources = 200;
/** A body may list half a million URLs; parsing all of them would block the event loop. */
const maxExamined = 5_000;

type Entry = { url: string; domain: string; title: string | null };

/** Collects an answer's sources: one entry for each page. A page that is cited and retrieved counts as cited. */
export class SourceList {
  readonly #cited = new Map<string, Entry>();
  readonly #retrieved = new Map<string, Entry>();
  #examined = 0;

  cite(url: string | null | undefined, title?: string | null): void {
    this.#add(this.#cited, url, title);
  }

  retrieve(url: string | null | undefined, title?: string | null): void {
    this.#add(this.#retrieved, url, title);
  }

  toSources(): Source[] {
    const onlyRetrieved = [...this.#retrieved.values()].filter((entry) => !this.#cited.has(entry.url));
    const cited = Array.from(this.#cited.values(), (entry) => ({
      ...entry,
      title: entry.title ?? this.#retrieved.get(entry.url)?.title ?? null,
      cited: true,
    }));
    const retrieved = onlyRetrieved.map((entry) => ({ ...entry, cited: false }));
    return [...cited, ...retrieved]
      .slice(0, maxSources)
      .map((entry, index) => ({ position: index + 1, ...entry }));
  }

  #add(entries: Map<string, Entry>, url: string | null | undefined, title: string | null | undefined): void {
    this.#examined += 1;
    if (entries.size >= maxSources || this.#examined > maxExamined) return;
    const source = normalizeSourceUrl(url ?? '');
    // Readers cannot open an address of a private network.
    if (source === null || !isPublicName(source.domain)) return;
    const existing = entries.get(source.url);
    const text = title?.trim() ? title.trim() : null;
    if (existing === undefined) entries.set(source.url, { ...source, title: text });
    else existing.title ??= text;
  }
}
