import type { Span } from '../text/span.ts';
import type { Line } from './lines.ts';
import { readPolarity } from './words.ts';

export type PassageKind = 'own sentence' | 'below heading' | 'list item' | 'table' | 'pronoun';

/** A brand that lines are about without naming it, and whether they list good (1) or bad (-1) sides, by their label. */
export type Scope = { brand: number | null; kind: PassageKind; polarity: -1 | 0 | 1; label: Span | null };

type Entry = Scope & { rank: number };

/** Ranks of scopes from the outside in; headings have ranks 1 to 6. A label such as "Pros" is half a rank deeper. */
const boldRank = 7;
const nameRank = 8;
const itemRank = 10;
const labelStep = 0.5;

/** The open headings and list items at a line, from the outside in. */
export class Scopes {
  #entries: Entry[] = [];

  /** The nearest brand and polarity. */
  current(): Scope {
    const named = this.#entries.findLast(({ brand }) => brand !== null);
    const labelled = this.#entries.findLast(({ polarity }) => polarity !== 0);
    const isLabelled = labelled !== undefined && labelled.rank > (named?.rank ?? 0);
    return {
      brand: named?.brand ?? null,
      kind: named?.kind ?? 'own sentence',
      polarity: isLabelled ? labelled.polarity : 0,
      label: isLabelled ? labelled.label : null,
    };
  }

  openHeading(line: Line, words: string, brand: number | null): void {
    this.#open(line.depth, line, words, { brand, kind: 'below heading' });
  }

  openBold(line: Line, words: string, brand: number | null): void {
    this.#open(boldRank, line, words, { brand, kind: 'below heading' });
  }

  openName(line: Line, words: string, brand: number | null): void {
    this.#open(nameRank, line, words, { brand, kind: 'below heading' });
  }

  openItem(line: Line, words: string, brand: number | null): void {
    this.#open(itemRank + line.depth, line, words, { brand, kind: 'list item' });
  }

  /** Ends list items that a line of the given indentation does not continue. */
  closeItems(indent = -1): void {
    this.#closeFrom(indent > 0 ? itemRank + indent * 2 : itemRank);
  }

  closeAll(): void {
    this.#entries = [];
  }

  #open(rank: number, line: Line, words: string, scope: Pick<Scope, 'brand' | 'kind'>): void {
    const polarity = readPolarity(words);
    const own = scope.brand === null && polarity !== 0 ? rank + labelStep : rank;
    this.#closeFrom(own);
    // An unnamed bold line or label ends the one before, but not the section around it.
    const label = polarity !== 0 && line.kind !== 'item' ? { start: line.start, end: line.end } : null;
    this.#entries.push({ ...scope, polarity, label, rank: own });
  }

  #closeFrom(rank: number): void {
    while ((this.#entries.at(-1)?.rank ?? -1) >= rank) this.#entries.pop();
  }
}
