import { brandMark, getLexicon, type Lexicon } from './lexicon.ts';
import { type Mark, readMarks } from './marks.ts';

/**
 * Sums of the values of a statement. `equal` reverses those that are negated ("not as good as Acme"), `size` takes all
 * as good.
 */
export type Tone = { sum: number; equal: number; size: number };

/** Constants of VADER: the factor of a negated word, and the normalisation of the sum of valences. */
const negationFactor = -0.74;
const saturation = 15;

/** A sum of good and bad words up to here is balanced. */
const maxBalance = 1;

/** Words, or characters without spaces, up to which a word reaches. */
const reach = {
  spaced: { not: 5, list: 3, after: 5, turner: 14 },
  unspaced: { not: 4, list: 3, after: 9, turner: 24 },
};

const softenerReach = 2;

const neutral: Tone = { sum: 0, equal: 0, size: 0 };

/** Tone of a text, -1 to 1; 0 if it evaluates nothing. */
export function rateTone(text: string, language: string): number {
  return normalize(readTone(text, language).sum);
}

export function normalize(sum: number): number {
  return sum / Math.sqrt(sum * sum + saturation);
}

/** The tone of a statement, in which `brandMark` is the place of each brand. A question has none. */
export function readTone(text: string, language: string): Tone {
  const lexicon = getLexicon(language);
  if (lexicon === null || /[?？]["”»)\s*]*$/.test(text.slice(-12))) return neutral;
  const reader = new ToneReader(lexicon);
  const marks = readMarks(text, lexicon);
  for (const [index, mark] of marks.entries()) reader.read(mark, marks, index);
  return reader.end();
}

type Item = { value: number; negated: boolean; mark: Mark };

class ToneReader {
  readonly #lexicon: Lexicon;
  readonly #reach: (typeof reach)['spaced'];
  #tone: Tone = neutral;
  #isMixed = false;
  /** The items of the open clause. */
  #items: Item[] = [];
  #isVoid = false;
  #hasNot = false;
  #inCondition = false;
  #softenUntil = -1;
  #notUntil = -1;
  #turnUntil = -1;
  /** The sign of the items that the open negation has negated, 0 if none. */
  #negatedSign = 0;
  /** A negation without an item behind it. */
  #openNot: Mark | null = null;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#reach = reach[lexicon.options.script ?? 'spaced'];
  }

  read(mark: Mark, marks: readonly Mark[], index: number): void {
    if (mark.kind === 'stop' || mark.kind === 'contrast') this.#endClause();
    else if (mark.kind === 'comma') this.#readComma(continuesList(marks, index));
    else if (isItem(mark)) this.#readItem(mark);
    else this.#readOther(mark);
  }

  #readComma(isInList: boolean): void {
    this.#inCondition = false;
    if (!isInList) this.#notUntil = -1;
  }

  #readOther(mark: Mark): void {
    if (mark.kind === 'not') this.#startNot(mark);
    else if (mark.kind === 'turner') this.#startTurn(mark);
    else if (mark.kind === 'copula') this.#turnUntil = -1;
    else if (mark.kind === 'softener') this.#softenUntil = mark.end + softenerReach;
    else if (mark.kind === 'condition') this.#inCondition = true;
    else if (mark.kind === 'void' || (mark.kind === 'absence' && this.#hasNot)) this.#isVoid = true;
  }

  end(): Tone {
    this.#endClause();
    const isBalanced = this.#isMixed && Math.abs(this.#tone.sum) <= maxBalance;
    return isBalanced ? { ...neutral, size: this.#tone.size } : this.#tone;
  }

  #startNot(mark: Mark): void {
    this.#hasNot = true;
    this.#notUntil = mark.end + this.#reach.not;
    this.#negatedSign = 0;
    this.#openNot = mark;
  }

  #readItem(mark: Mark): void {
    const sign = Math.sign(mark.value);
    const negated =
      !mark.isNegative &&
      mark.at <= this.#notUntil &&
      (this.#negatedSign === 0 || this.#negatedSign === sign || sign === 0);
    let value = mark.at <= this.#softenUntil ? mark.value / 2 : mark.value;
    if (this.#inCondition || (mark.kind === 'claim' && !negated)) value = 0;
    if (value < 0 && mark.at <= this.#turnUntil) value = 0;
    if (negated) {
      value *= negationFactor;
      this.#negatedSign = sign;
      this.#notUntil = Math.max(this.#notUntil, mark.end + this.#reach.list);
    }
    this.#openNot = null;
    this.#items.push({ value, negated, mark });
    if (mark.negates) this.#startNot(mark);
  }

  /** In some languages, a turner also follows what it turns: "Fehler vermeiden". */
  #startTurn(turner: Mark): void {
    this.#turnUntil = turner.end + this.#reach.turner;
    if (this.#lexicon.options.turnerFollows !== true) return;
    for (const item of this.#items) {
      if (item.value < 0 && turner.at - item.mark.end <= this.#reach.turner) item.value = 0;
    }
  }

  #endClause(): void {
    this.#negateBefore();
    if (!this.#isVoid) {
      for (const { value, negated } of this.#items) {
        if (Math.sign(value) === -Math.sign(this.#tone.sum)) this.#isMixed = true;
        const { sum, equal, size } = this.#tone;
        this.#tone = {
          sum: sum + value,
          equal: equal + (negated ? -value : value),
          size: size + Math.abs(value),
        };
      }
    }
    this.#items = [];
    this.#isVoid = false;
    this.#hasNot = false;
    this.#inCondition = false;
    this.#softenUntil = -1;
    this.#notUntil = -1;
    this.#turnUntil = -1;
    this.#openNot = null;
  }

  /** A negation that follows what it negates: "empfehle ich nicht". */
  #negateBefore(): void {
    const last = this.#items.at(-1);
    if (this.#openNot === null || last === undefined || this.#lexicon.options.notFollows !== true) return;
    if (last.negated || this.#openNot.at - last.mark.end > this.#reach.after) return;
    last.value = last.mark.value * negationFactor;
    last.negated = true;
  }
}

function isItem({ kind }: Mark): boolean {
  return kind === 'item' || kind === 'fault' || kind === 'claim';
}

/** Whether a comma is inside a list of items: "not reliable, fast or cheap". */
function continuesList(marks: readonly Mark[], index: number): boolean {
  const comma = marks[index];
  const item = marks[index + 1];
  const next = marks[index + 2];
  if (comma === undefined || item === undefined || next === undefined) return false;
  if (item.kind === 'and' || item.kind === 'not') return item.at === comma.end;
  const isItem = item.kind === 'item' || item.kind === 'fault';
  return (
    isItem && item.at === comma.end && next.at === item.end && (next.kind === 'and' || next.kind === 'comma')
  );
}

export { brandMark };
