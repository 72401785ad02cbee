import { fold } from '../text/fold.ts';
import { isGeneric, type NameWords } from './words.ts';

/** Scripts without capitals, where only words tell a name from a phrase. */
const maxUnspaced = 20;
/** A word of a sentence may be a part of a shorter name. */
const maxShort = 4;
const maxWords = 6;
const usualWords = 3;
const maxGeneric = 12;
const hiragana = /\p{Script=Hiragana}/gu;

/** The rate of a text in a script without spaces, null if it is no name. */
export function rateUnspaced(name: string, words: NameWords): number | null {
  const { length } = Array.from(name);
  if (length > (name.includes(' ') ? 2 : 1) * maxUnspaced) return null;
  const folded = fold(name.normalize('NFKC')).text;
  if (length > maxShort) for (const word of words.sentence) if (folded.includes(word)) return null;
  if (isAllGeneric(folded, words.generic)) return -2;
  for (const word of words.starts) if (folded.startsWith(word)) return -2;
  const small = name.match(hiragana)?.length ?? 0;
  // A name in hiragana has no other letters, a phrase has.
  if (small > 0 && small < length) return -0.4;
  return /[A-Za-z]/.test(name) ? 0.7 : 0.5;
}

/** The rate of a text in a script with spaces, null if it is no name. */
export function rateSpaced(name: string, words: NameWords): number | null {
  const parts = fold(name.normalize('NFKC')).text.split(/[\s・]+/);
  const isPhrase = parts.length > 1 && words.starts.has(parts[0] ?? '');
  if (parts.length > maxWords || isPhrase || parts.some((part) => words.sentence.has(part))) return null;
  const generic = parts.filter((part) => isGeneric(part, words)).length / parts.length;
  return generic === 1 ? -2 : 0.8 - 0.5 * generic - (parts.length > usualWords ? 0.8 : 0);
}

/** Whether a text without spaces consists of generic words, the longest ones first. */
function isAllGeneric(text: string, generic: ReadonlySet<string>): boolean {
  for (let at = 0; at < text.length;) {
    let length = Math.min(maxGeneric, text.length - at);
    while (length > 0 && !generic.has(text.slice(at, at + length))) length -= 1;
    if (length === 0 && !/[\sの・&/]/u.test(text.charAt(at))) return false;
    at += Math.max(1, length);
  }
  return true;
}
