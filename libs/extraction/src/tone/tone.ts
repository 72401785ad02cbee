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
/** The share of a concession next to a main clause: "although it is slow". */
const concessionFactor = 0.25;

/** Words, or characters without spaces, up to which a word reaches. */
const reach = {
  spaced: { negation: 5, list: 3, after: 5, shifter: 14 },
  unspaced: { negation: 4, list: 3, after: 9, shifter: 24 },
};

const hedgeReach = 2;
const burdenValue = -2;

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

type Opinion = { value: number; negated: boolean; mark: Mark };

class ToneReader {
  readonly #lexicon: Lexicon;
  readonly #reach: (typeof reach)['spaced'];
  #tone: Tone = neutral;
  #isMixed = false;
  #conceded: Tone = neutral;
  #isConceded = false;
  #isContrasted = false;
  #hasBurden = false;
  /** The opinions of the open clause. */
  #opinions: Opinion[] = [];
  #lacksInformation = false;
  #hasNegation = false;
  #inCondition = false;
  #hedgedUntil = -1;
  #negatedUntil = -1;
  #shiftedUntil = -1;
  /** The sign of the opinions that the open negation has negated, 0 if none. */
  #negatedSign = 0;
  /** A negation without an opinion behind it. */
  #openNegation: Mark | null = null;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#reach = reach[lexicon.options.has('no spaces') ? 'unspaced' : 'spaced'];
  }

  read(mark: Mark, marks: readonly Mark[], index: number): void {
    if (mark.kind === 'stop' || mark.kind === 'contrast' || mark.kind === 'concession') {
      this.#endClause();
      this.#isConceded = mark.kind === 'concession';
      this.#isContrasted = mark.kind !== 'stop';
    } else if (mark.kind === 'comma') this.#readComma(continuesList(marks, index));
    else if (isOpinion(mark)) this.#readOpinion(mark);
    else this.#readOther(mark);
  }

  #readComma(isInList: boolean): void {
    this.#inCondition = false;
    if (!isInList) this.#negatedUntil = -1;
    if (!isInList && this.#isConceded) this.#endClause();
  }

  #readOther(mark: Mark): void {
    if (mark.kind === 'negation') this.#startNegation(mark);
    else if (mark.kind === 'shifter') this.#startShift(mark);
    else if (mark.kind === 'predicate') this.#shiftedUntil = -1;
    else if (mark.kind === 'hedge') this.#hedgedUntil = mark.end + hedgeReach;
    else if (mark.kind === 'condition') this.#inCondition = true;
    else if (mark.kind === 'burden') this.#readBurden(mark);
    else if (mark.kind === 'no information' || (mark.kind === 'information' && this.#hasNegation))
      this.#lacksInformation = true;
  }

  end(): Tone {
    this.#endClause();
    const conceded = this.#conceded;
    const main = this.#tone;
    // "Requires a subscription, although it is excellent": the concession shows that the fact is criticism.
    const burden = this.#hasBurden && main.sum === 0 && conceded.sum > 0 ? burdenValue : 0;
    const tone = add(main, conceded, main.sum === 0 && burden === 0 ? 1 : concessionFactor);
    const isBalanced = this.#isMixed && Math.abs(tone.sum) <= maxBalance;
    return isBalanced ? { ...neutral, size: tone.size } : { ...tone, sum: tone.sum + burden };
  }

  /** A fact such as a fee criticises what was praised before a contrast. */
  #readBurden(mark: Mark): void {
    if (mark.at <= this.#negatedUntil || this.#inCondition) return;
    if (!this.#isContrasted) this.#hasBurden = true;
    else if (this.#tone.sum > 0) this.#opinions.push({ value: mark.value, negated: false, mark });
  }

  #startNegation(mark: Mark): void {
    this.#hasNegation = true;
    this.#negatedUntil = mark.end + this.#reach.negation;
    this.#negatedSign = 0;
    this.#openNegation = mark;
  }

  #readOpinion(mark: Mark): void {
    const sign = Math.sign(mark.value);
    const negated =
      !mark.isNegative &&
      mark.at <= this.#negatedUntil &&
      (this.#negatedSign === 0 || this.#negatedSign === sign || sign === 0);
    let value = mark.at <= this.#hedgedUntil ? mark.value / 2 : mark.value;
    if (this.#inCondition || (mark.kind === 'expectation' && !negated)) value = 0;
    if (value < 0 && mark.at <= this.#shiftedUntil) value = 0;
    if (negated) {
      value *= negationFactor;
      this.#negatedSign = sign;
      this.#negatedUntil = Math.max(this.#negatedUntil, mark.end + this.#reach.list);
    }
    this.#openNegation = null;
    this.#opinions.push({ value, negated, mark });
    if (mark.negates) this.#startNegation(mark);
  }

  /** In some languages, a shifter also follows what it shifts: "Fehler vermeiden". */
  #startShift(shifter: Mark): void {
    this.#shiftedUntil = shifter.end + this.#reach.shifter;
    if (!this.#lexicon.options.has('shifter follows')) return;
    for (const opinion of this.#opinions) {
      if (opinion.value < 0 && shifter.at - opinion.mark.end <= this.#reach.shifter) opinion.value = 0;
    }
  }

  #endClause(): void {
    this.#negateBefore();
    if (!this.#lacksInformation) {
      for (const { value, negated } of this.#opinions) {
        const tone = { sum: value, equal: negated ? -value : value, size: Math.abs(value) };
        if (this.#isConceded) this.#conceded = add(this.#conceded, tone);
        else {
          if (value * this.#tone.sum < 0) this.#isMixed = true;
          this.#tone = add(this.#tone, tone);
        }
      }
    }
    this.#isConceded = false;
    this.#isContrasted = false;
    this.#opinions = [];
    this.#lacksInformation = false;
    this.#hasNegation = false;
    this.#inCondition = false;
    this.#hedgedUntil = -1;
    this.#negatedUntil = -1;
    this.#shiftedUntil = -1;
    this.#openNegation = null;
  }

  /** A negation that follows what it negates: "empfehle ich nicht". */
  #negateBefore(): void {
    const last = this.#opinions.at(-1);
    if (this.#openNegation === null || last === undefined) return;
    if (!this.#lexicon.options.has('negation follows')) return;
    if (last.negated || this.#openNegation.at - last.mark.end > this.#reach.after) return;
    last.value = last.mark.value * negationFactor;
    last.negated = true;
  }
}

function add(tone: Tone, other: Tone, factor = 1): Tone {
  return {
    sum: tone.sum + factor * other.sum,
    equal: tone.equal + factor * other.equal,
    size: tone.size + factor * other.size,
  };
}

function isOpinion({ kind }: Mark): boolean {
  return kind === 'opinion' || kind === 'problem' || kind === 'expectation';
}

/** Whether a comma is inside a list of opinions: "not reliable, fast or cheap". */
function continuesList(marks: readonly Mark[], index: number): boolean {
  const comma = marks[index];
  const first = marks[index + 1];
  const next = marks[index + 2];
  if (comma === undefined || first === undefined || next === undefined) return false;
  if (first.kind === 'and' || first.kind === 'negation') return first.at === comma.end;
  const startsWithOpinion = first.kind === 'opinion' || first.kind === 'problem';
  return (
    startsWithOpinion &&
    first.at === comma.end &&
    next.at === first.end &&
    (next.kind === 'and' || next.kind === 'comma')
  );
}

export { brandMark };
