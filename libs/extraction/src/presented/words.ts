import { fold } from '../text/fold.ts';
import { readWordLists, toEntries } from '../text/word-lists.ts';

const sections = [
  'generic',
  'starts',
  'sentence',
  'endings',
  'introduces',
  'joins',
  'announces',
  'attributes',
  'places',
] as const;

/** Words of a language that tell headings and features from names, folded. */
export type NameWords = {
  /** A name does not consist of these alone: "pricing", "best". */
  generic: ReadonlySet<string>;
  /** Words of everyday language, of which a name rarely consists: "learning", "curve". Empty for most languages. */
  ordinary: ReadonlySet<string>;
  /** Countries, languages and cities. */
  places: ReadonlySet<string>;
  /** A name does not start with these: "best", "why". */
  starts: ReadonlySet<string>;
  /** A name does not contain these: "your", "is". */
  sentence: ReadonlySet<string>;
  /** A long word with such an ending is no name. */
  endings: readonly string[];
  /** What introduces a list of names: "such as". */
  introduces: RegExp | null;
  /** Separators of the names in such a list. */
  separators: RegExp;
  /** Such a word before the last name. */
  leadingJoiner: RegExp | null;
  /** Words of a line before a list of names: "the best". */
  announces: RegExp | null;
  /** Words of a line before a list of attributes: "what to consider". */
  attributes: RegExp | null;
  isUnspaced: boolean;
};

const ordinaryLists = readWordLists('ordinary', { sections: ['ordinary'] as const, options: [] as const });
const lists = readWordLists('names', { sections, options: ['no spaces'] as const });
const known = new Map<string, NameWords>();
const sameLists: Record<string, string> = { ms: 'id', nb: 'no', nn: 'no' };
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The words of a language and those of English, which answers in every language use. */
export function nameWords(language: string): NameWords {
  const code = lists.has(language) ? language : (sameLists[language] ?? 'en');
  const found = known.get(code);
  if (found !== undefined) return found;
  const own = lists.get(code);
  const english = lists.get('en');
  const read = (section: (typeof sections)[number], isShared: boolean): string[] =>
    toEntries([
      ...(own?.sections[section] ?? []),
      ...(isShared ? (english?.sections[section] ?? []) : []),
    ]).map(({ text }) => fold(text.normalize('NFKC')).text);
  const isUnspaced = own?.options.has('no spaces') === true;
  const joins = read('joins', false).map((word) => (isUnspaced ? escape(word) : ` ${escape(word)} `));
  const introduces = read('introduces', false).map(escape);
  const words = {
    generic: new Set(read('generic', true)),
    ordinary: new Set(toEntries(ordinaryLists.get(code)?.sections.ordinary ?? []).map(({ text }) => text)),
    places: new Set([...read('places', true), ...readPlaces(language)]),
    starts: new Set(read('starts', true)),
    sentence: new Set(read('sentence', code === 'en')),
    endings: read('endings', false),
    introduces:
      introduces.length === 0
        ? null
        : new RegExp(String.raw`(?:^|[\s(,])(?:${introduces.join('|')})\s`, 'giu'),
    separators: new RegExp(
      [...(isUnspaced ? [] : [', ']), '、', '؛', ' / ', ' \\+ ', ...joins].join('|'),
      'iu',
    ),
    leadingJoiner: isUnspaced
      ? null
      : new RegExp(`^\\s*(?:${joins.map((word) => word.trim()).join('|')})\\s`, 'iu'),
    announces: wordPattern(read('announces', true), isUnspaced),
    attributes: wordPattern(read('attributes', true), isUnspaced),
    isUnspaced,
  };
  known.set(code, words);
  return words;
}

/** The names of countries and languages in a language and in English, from CLDR. */
function readPlaces(language: string): string[] {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return [language, 'en'].flatMap((locale) => {
    const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
    const languages = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' });
    return codes
      .flatMap((code) => [countries.of(code), languages.of(code.toLowerCase())])
      .filter((name) => name !== undefined)
      .map((name) => fold(name.normalize('NFKC')).text);
  });
}

function wordPattern(words: readonly string[], isUnspaced: boolean): RegExp | null {
  if (words.length === 0) return null;
  const any = words.map(escape).join('|');
  return new RegExp(isUnspaced ? any : String.raw`(?<![\p{L}\p{M}])(?:${any})(?![\p{L}\p{M}])`, 'iu');
}

/** A shorter word with such an ending may be a name. */
const minEnding = { spaced: 8, uncased: 3 };

/** Whether a folded word is one of a category or an attribute. */
export function isGeneric(word: string, { generic, endings }: NameWords): boolean {
  if (generic.has(word)) return true;
  const minLength = /[a-z]/.test(word) ? minEnding.spaced : minEnding.uncased;
  return word.length >= minLength && endings.some((ending) => word.endsWith(ending));
}

/** Whether a folded word, or each part of "cross-platform", is generic or ordinary. */
export function isOrdinary(word: string, words: NameWords): boolean {
  if (words.ordinary.has(word)) return true;
  if (!word.includes(' ')) return false;
  return word
    .split(' ')
    .every((part) => part.length < 3 || words.ordinary.has(part) || isGeneric(part, words));
}
