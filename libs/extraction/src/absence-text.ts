import type { Match } from './absence-nodes.ts';

/** A brand in a masked text. */
export const nameMark = '\uE000';

const gap = /[\s!"#$%()*,./:;<=>?@[\\\]{|}~—«»¡¿।\u2000-\u206F\u3000-\u303F\uE000\uFF01-\uFF60-]/;
const maxWord = 40;

/** A folded text with marks in place of names. Remembers what matched where. */
export class MaskedText {
  readonly text: string;
  readonly #wordEnds = new Map<number, number>();
  readonly #matches = new Map<number, readonly Match[]>();

  constructor(text: string) {
    this.text = text;
  }

  /** The place behind a space. */
  skipSpace(at: number): number {
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

/** Whether a clause starts at a place: a mark of punctuation or one of the words goes before. */
export function isClauseStart(text: string, at: number, connectives: ReadonlySet<string>): boolean {
  const before = text.slice(Math.max(0, at - maxWord), at).trimEnd();
  const last = before.charAt(before.length - 1);
  if (before === '' || (last !== nameMark && gap.test(last))) return true;
  return connectives.has(before.slice(before.lastIndexOf(' ') + 1));
}
