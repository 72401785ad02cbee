import { isPublicHost } from '@bv/source-url';
import { rateSpaced, rateUnspaced } from './rate-uncased.ts';
import { readWord, type WordFacts } from './word-facts.ts';
import type { NameWords } from './words.ts';

/** The rate of a text that is no name, whatever stands around it. */
export const impossible = -9;

const maxWords = 7;
/** A longer name is rather a phrase. */
const usualWords = 4;
const notPlain = /^[^A-Za-z]|[^A-Za-z0-9 &'-]/;
const sentenceMark = /[!?？！。;]|[.:：]\s|…|:\/\/|@/u;
const units = 'mp|mah|[kmgt]b|k?g|[kcm]?m|m?l|k?wh?|g?hz|d?b|pa|h|min|fps';
const amount = new RegExp(
  String.raw`^\p{Sc}|\p{Sc}\s?\d|\d\s?(?:\p{Sc}|[%°円元원分万만〜])|^[~≈<>]|^\d{4}$|^[\d.,]+\s?(?:${units})$`,
  'iu',
);
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const uncased = /[\p{Script=Hangul}\p{Script=Devanagari}\p{Script=Arabic}\p{Script=Thai}\p{Script=Hebrew}]/u;

/** How much the form of a text speaks for a name: above 0 for, below 0 against. */
export function rateName(name: string, words: NameWords): number {
  if (!notPlain.test(name)) return rateCased(name, words);
  if (!/\p{L}/u.test(name) || sentenceMark.test(name) || amount.test(name)) return impossible;
  if (name.includes('.') && isPublicHost(name.toLowerCase())) return 2;
  if (unspaced.test(name)) return rateUnspaced(name, words) ?? impossible;
  return uncased.test(name) ? (rateSpaced(name, words) ?? impossible) : rateCased(name, words);
}

function rateCased(name: string, words: NameWords): number {
  const written = name.split(/[ /]+/, maxWords + 1).map((word) => readWord(word, words));
  if (written.length > maxWords || written.some(({ kind }) => kind === 'sentence')) return impossible;
  if (words.places.has(written.map(({ folded }) => folded).join(' '))) return impossible;
  const [first] = written;
  if (written.length > 1 && words.starts.has(first?.folded ?? '')) return impossible;
  const content = written.filter(
    ({ kind }, index) => kind !== 'mark' && (kind !== 'particle' || index === 0),
  );
  return content.length === 0 ? impossible : rateWords(content, words);
}

function rateWords(content: readonly WordFacts[], { isUnspaced }: NameWords): number {
  const all = content.length;
  const generic = count(content, ({ kind }) => kind === 'generic');
  const ordinary = count(content, ({ kind }) => kind === 'ordinary');
  const marked = count(content, ({ isMarked }) => isMarked);
  const small = count(content, ({ isSmall }) => isSmall);
  if (generic === all) return marked > 0 ? -0.5 : all > 1 ? -1.2 : -2;
  if (generic + ordinary === all && marked === 0) return small > 0 ? -1.5 : -0.4;
  if (small > 0) return all === 1 ? -0.5 : -1.5;
  const isAcronym = content.every((word) => word.isAcronym);
  return (
    1 -
    0.8 * ((generic + ordinary) / all) +
    Math.min(1, marked) -
    (isAcronym ? 0.4 : 0) -
    (all > usualWords ? 0.5 : 0) +
    (isUnspaced ? 0.6 : 0)
  );
}

function count(words: readonly WordFacts[], is: (word: WordFacts) => boolean): number {
  let found = 0;
  for (const word of words) if (is(word)) found += 1;
  return found;
}
