import { declinedLanguages, wordForms, type WordForm } from './declensions.ts';
import { fold } from '../text/fold.ts';

/** A name up to a stem, and what may follow: one of the endings, then one form of each further word. */
export type Stem = { text: string; endings: ReadonlySet<string>; further: readonly (readonly WordForm[])[] };

const declined = /^[a-z]{3,40}$/;
const noEnding: ReadonlySet<string> = new Set(['']);

/**
 * The stems of a name in a language with case endings: "Biedronk" and "Biedronc" of "Biedronka". The endings are at its
 * last word, or at its first word and maybe others ("Poczcie Polskiej"). Only words in Latin letters have endings.
 */
export function nameStems(name: string, language: string): Stem[] {
  if (!declinedLanguages.has(language)) return [];
  const { text, offsets } = fold(name);
  const words = text.split(' ');
  const formsOf = (word: string): WordForm[] => (declined.test(word) ? wordForms(word, language) : []);
  const stemsAt = (start: number, word: string, further: Stem['further']): Stem[] =>
    formsOf(word).map(({ stem, endings }) => ({
      // The letters of the name where it has them, so that their case is known.
      text: name.slice(0, offsets[start + commonLength(stem, word)]) + stem.slice(commonLength(stem, word)),
      endings,
      further,
    }));
  const last = words.pop() ?? '';
  const atLast = stemsAt(text.length - last.length, last, []);
  const [first, ...between] = words;
  if (first === undefined) return atLast;
  const further = [...between, last].map((word) => [{ stem: word, endings: noEnding }, ...formsOf(word)]);
  return [...atLast, ...stemsAt(0, first, further)];
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

const maxWord = 44;
const letters = /^[\p{L}\p{M}]{0,44}/u;
const separator = /^(?:[-‐‒–]|[ \u00A0]{1,3})/u;

/** The length of the ending and the further words at an index of a text, null if they do not follow. */
export function readStemEnd(
  text: string,
  start: number,
  { endings, further }: Omit<Stem, 'text'>,
): number | null {
  let at = start;
  let forms: readonly WordForm[] = [{ stem: '', endings }];
  for (let next = 0; ; next += 1) {
    const written = letters.exec(text.slice(at, at + maxWord))?.[0] ?? '';
    const word = fold(written).text;
    if (!forms.some(({ stem, endings: set }) => word.startsWith(stem) && set.has(word.slice(stem.length))))
      return null;
    at += written.length;
    const following = further[next];
    if (following === undefined) return at - start;
    forms = following;
    at += separator.exec(text.slice(at, at + 3))?.[0].length ?? 0;
  }
}
