import { fold } from '../text/fold.ts';
import { isGeneric, isOrdinary, type NameWords } from './words.ts';

/** What a word says about the name that it is in. */
export type WordFacts = {
  folded: string;
  kind: 'mark' | 'particle' | 'sentence' | 'generic' | 'ordinary' | 'other';
  /** "HubSpot", "iPhone", "1Password": no other word is written so. */
  isMarked: boolean;
  /** "TLS", "AES-256": rather a standard than a name. */
  isAcronym: boolean;
  isSmall: boolean;
};

/** Words in small letters that names have. */
const particles = new Set(
  'of the and de du des di dei della la le les el los das do da von van der den und y e et en i by to x n'.split(
    ' ',
  ),
);
const marked = /\p{Ll}\p{Lu}|\d\p{Lu}\p{Ll}/u;
const acronym = /^[\p{Lu}\d-]{2,8}$/u;
const small = /^\p{Ll}/u;
const capitals = /^\p{Lu}{2,}$/u;
const notLetters = /[^A-Za-z\d]/;
const notAscii = /[^\x20-\x7E]/;
const around = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu;

/** Answers consist of the same words. */
const known = new WeakMap<NameWords, Map<string, WordFacts>>();
const maxKnown = 20_000;

export function readWord(word: string, words: NameWords): WordFacts {
  let facts = known.get(words);
  if (facts === undefined || facts.size >= maxKnown) known.set(words, (facts = new Map()));
  const found = facts.get(word);
  if (found !== undefined) return found;
  const folded = foldWord(word);
  const isMarked = marked.test(word);
  const isSmall = !isMarked && small.test(word);
  const read = {
    folded,
    kind: readKind(word, folded, isSmall, words),
    isMarked,
    isAcronym: acronym.test(word),
    isSmall,
  };
  facts.set(word, read);
  return read;
}

function readKind(word: string, folded: string, isSmall: boolean, words: NameWords): WordFacts['kind'] {
  if (!/\p{L}/u.test(folded)) return 'mark';
  if (isSmall && particles.has(folded)) return 'particle';
  if (words.sentence.has(folded) && !capitals.test(word)) return 'sentence';
  if (isGeneric(folded, words)) return 'generic';
  return isOrdinary(folded, words) ? 'ordinary' : 'other';
}

function foldWord(written: string): string {
  if (!notLetters.test(written)) return written.toLowerCase();
  const word = written.replace(around, '');
  return notAscii.test(word) ? fold(word.normalize('NFKC')).text : word.toLowerCase().replaceAll('-', ' ');
}
