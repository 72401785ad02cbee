import { isPublicHost } from '@bv/source-url';
import { fold } from '../text/fold.ts';
import { rateSpaced, rateUnspaced } from './rate-uncased.ts';
import { isGeneric, type NameWords } from './words.ts';

/** The rate of a text that is no name, whatever stands around it. */
export const impossible = -9;

const maxWords = 7;
/** A longer name is rather a phrase. */
const usualWords = 4;
/** Words in small letters that names have. */
const particles = new Set(
  'of the and de du des la le les el los das do di dei della von van der den und y e et en i by to x n for'.split(
    ' ',
  ),
);
const sentenceMark = /[!?？！。;]|[.:：]\s|…|:\/\/|@/u;
const amount = /^\p{Sc}|\p{Sc}\s?\d|\d\s?\p{Sc}|\d\s?%|^[~≈<>]|^\d{4}$/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const uncased = /[\p{Script=Hangul}\p{Script=Devanagari}\p{Script=Arabic}\p{Script=Thai}\p{Script=Hebrew}]/u;
const isAscii = /^[\x20-\x7E]*$/;
const around = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu;
/** "HubSpot", "iPhone", "A54": no other word is written so. */
const marked = /\p{Ll}\p{Lu}|\p{L}[\p{L}-]*\d|\d\p{L}/u;
const small = /^\p{Ll}/u;

/** How much the form of a text speaks for a name: above 0 for, below 0 against. */
export function rateName(name: string, words: NameWords): number {
  if (!/\p{L}/u.test(name) || sentenceMark.test(name) || amount.test(name)) return impossible;
  if (name.includes('.') && isPublicHost(name.toLowerCase())) return 2;
  if (isAscii.test(name)) return rateCased(name, words);
  if (unspaced.test(name)) return rateUnspaced(name, words) ?? impossible;
  return uncased.test(name) ? (rateSpaced(name, words) ?? impossible) : rateCased(name, words);
}

function rateCased(name: string, words: NameWords): number {
  const written = name.split(/[\s/]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (written.length > maxWords || (written.length > 1 && words.starts.has(foldWord(written[0] ?? ''))))
    return impossible;
  const counts = countWords(written, words);
  if (counts === null || counts.all === 0) return impossible;
  if (counts.generic >= counts.all) return counts.marked > 0 ? -0.5 : -2;
  if (counts.small > 0) return counts.all === 1 ? -1 : -1.5;
  const length = written.length > usualWords ? -0.5 : 0;
  const foreign = words.isUnspaced ? 0.6 : 0;
  return 1 - 0.6 * (counts.generic / counts.all) + Math.min(1, counts.marked) + length + foreign;
}

/** Counts the words of a name by their kind, null if one is of a sentence. */
function countWords(
  written: readonly string[],
  words: NameWords,
): Record<'all' | 'generic' | 'marked' | 'small', number> | null {
  const counts = { all: 0, generic: 0, marked: 0, small: 0 };
  for (const [index, word] of written.entries()) {
    const folded = foldWord(word);
    const isMarked = marked.test(word);
    const isSmall = !isMarked && small.test(word);
    if (isSmall && index > 0 && particles.has(folded)) continue;
    if (words.sentence.has(folded) && !/^\p{Lu}{2,}$/u.test(word)) return null;
    counts.all += 1;
    if (isMarked) counts.marked += 1;
    if (isSmall) counts.small += 1;
    if (isGeneric(folded, words)) counts.generic += 1;
    else if (/^\d+$/.test(folded)) counts.generic += 0.5;
  }
  return counts;
}

function foldWord(written: string): string {
  const word = written.replace(around, '');
  return isAscii.test(word) ? word.toLowerCase().replaceAll('-', ' ') : fold(word.normalize('NFKC')).text;
}
