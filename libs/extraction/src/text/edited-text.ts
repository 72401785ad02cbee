import type { Span } from './span.ts';

/** A part of a replacement: new text, or a span of the text that stays. */
export type Piece = string | Span;

/** A replaced span of a text (`from`, `to`) and its place after the edit (`start`, `end`). */
type Edit = { from: number; to: number; start: number; end: number };

/** A text after replacements. It maps its spans back to the text before all of them. */
export class EditedText {
  readonly text: string;
  readonly #before: EditedText | null;
  readonly #edits: readonly Edit[];

  constructor(text: string, before: EditedText | null = null, edits: readonly Edit[] = []) {
    this.text = text;
    this.#before = before;
    this.#edits = edits;
  }

  /** Replaces the matches of a global pattern by a fixed text, or by the pieces that `toPieces` returns. */
  replace(pattern: RegExp, replacement: string | ((match: RegExpExecArray) => readonly Piece[])): EditedText {
    const { text } = this;
    const edits: Edit[] = [];
    let edited = '';
    let copied = 0;
    const put = (from: number, to: number, inserted: string): void => {
      edited += text.slice(copied, from);
      if (to > from || inserted !== '')
        edits.push({ from, to, start: edited.length, end: edited.length + inserted.length });
      edited += inserted;
      copied = to;
    };
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const end = match.index + match[0].length;
      if (typeof replacement === 'string') {
        put(match.index, end, replacement);
        continue;
      }
      let from = match.index;
      let inserted = '';
      for (const piece of replacement(match)) {
        if (typeof piece === 'string') inserted += piece;
        else {
          put(from, piece.start, inserted);
          from = piece.end;
          inserted = '';
        }
      }
      put(from, end, inserted);
    }
    return edits.length === 0 ? this : new EditedText(edited + text.slice(copied), this, edits);
  }

  /** The span of the original text that a span came from. Of a replaced part, it is the whole of what was replaced. */
  toOriginal({ start, end }: Span): Span {
    if (this.#before === null) return { start, end };
    const first = this.#findEdit(start);
    const last = this.#findEdit(Math.max(start, end - 1));
    return this.#before.toOriginal({
      start: first === undefined ? start : start < first.end ? first.from : start - first.end + first.to,
      end: last === undefined ? end : end <= last.end ? last.to : end - last.end + last.to,
    });
  }

  /** The last edit that starts at or before an index. */
  #findEdit(index: number): Edit | undefined {
    let low = 0;
    let high = this.#edits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#edits[middle]?.start ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return this.#edits[low - 1];
  }
}
