import type { Span } from '../text/span.ts';

/** The end of a phrase, and the names of which it says that nothing is known. */
export type Match = { end: number; names: readonly Span[] };

/** A brand in a masked text. */
export const nameMark = '\uE000';

const gap = /[\s!"#$%()*,./:;<=>?@[\\\]{|}~—«»¡¿।\u2000-\u206F\u3000-\u303F\uE000\uFF01-\uFF60-]/;
const maxWord = 40;

/** Counts what a search compares, so that its cost has a limit that does not depend on the machine. */
export class Steps {
  readonly max: number;
  taken = 0;

  constructor(max: number) {
    this.max = max;
  }

  get isSpent(): boolean {
    return this.taken >= this.max;
  }
}

/** A folded text with marks in place of names. Remembers what matched where. */
export class MaskedText {
  readonly text: string;
  readonly #steps: Steps;
  readonly #wordEnds = new Map<number, number>();
  readonly #matches = new Map<number, readonly Match[]>();

  constructor(text: string, steps: Steps) {
    this.text = text;
    this.#steps = steps;
  }

  /** The place behind a space. Every part of a phrase begins with it, so it is one step. */
  skipSpace(at: number): number {
    this.#steps.taken += 1;
    return this.text.charAt(at) === ' ' ? at + 1 : at;
  }

  /** The end of the word at a place, the place itself if there is none. */
  wordEnd(at: number): number {
    const known = this.#wordEnds.get(at);
    if (known !== undefined) return known;
    let end = at;
    while (end < this.text.length && end - at < maxWord && !gap.test(this.text.charAt(end))) end += 1;
    this.#wordEnds.set(at, end);
    return end;
  }

  /** What a part matches at a place. The same part of several statements is compared only once. */
  remember(part: number, at: number, find: () => readonly Match[]): readonly Match[] {
    const key = part * (this.text.length + 1) + at;
    const known = this.#matches.get(key);
    if (known !== undefined) return known;
    const matches = find();
    this.#matches.set(key, matches);
    return matches;
  }
}

/** Whether a word starts at a place. */
export function isWordStart(text: string, at: number): boolean {
  return !gap.test(text.charAt(at)) && (at === 0 || gap.test(text.charAt(at - 1)));
}

/** The word in front of a place and where it starts. Null at the start and behind a mark of punctuation. */
export function wordBefore(text: string, at: number): { word: string; start: number } | null {
  const end = text.charAt(at - 1) === ' ' ? at - 1 : at;
  let start = end;
  while (start > 0 && end - start < maxWord && !gap.test(text.charAt(start - 1))) start -= 1;
  return start === end ? null : { word: text.slice(start, end), start };
}

/** Whether a clause starts at a place: nothing, a mark of punctuation or a conjunction goes before. */
export function isClauseStart(text: string, at: number, conjunctions: ReadonlySet<string>): boolean {
  const before = wordBefore(text, at);
  return before === null
    ? text.charAt(at - 1) !== nameMark && text.charAt(at - 2) !== nameMark
    : conjunctions.has(before.word);
}
