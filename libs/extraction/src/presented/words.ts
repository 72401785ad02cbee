import { fold } from '../text/fold.ts';
import { readWordLists, toEntries } from '../text/word-lists.ts';

const sections = ['generic', 'starts', 'sentence', 'endings', 'introduces', 'joins'] as const;

/** Words of a language that tell headings and features from names, folded. */
export type NameWords = {
  /** A name does not consist of these alone: "pricing", "best". */
  generic: ReadonlySet<string>;
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
  isUnspaced: boolean;
};

const lists = readWordLists('names', { sections, options: ['no spaces'] as const });
const known = new Map<string, NameWords>();
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The words of a language and those of English, which answers in every language use. */
export function nameWords(language: string): NameWords {
  const code = lists.has(language) ? language : 'en';
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
    starts: new Set(read('starts', true)),
    sentence: new Set(read('sentence', code === 'en')),
    endings: read('endings', false),
    introduces:
      introduces.length === 0
        ? null
        : new RegExp(String.raw`(?:^|[\s(,])(?:${introduces.join('|')})\s`, 'giu'),
    separators: new RegExp([', ', '、', '，', '؛', ' / ', ...joins].join('|'), 'iu'),
    leadingJoiner: isUnspaced
      ? null
      : new RegExp(`^\\s*(?:${joins.map((word) => word.trim()).join('|')})\\s`, 'iu'),
    isUnspaced,
  };
  known.set(code, words);
  return words;
}

/** A shorter word with such an ending may be a name. */
const minEnding = { spaced: 8, uncased: 3 };

/** Whether a folded word is one of a category or an attribute. */
export function isGeneric(word: string, { generic, endings }: NameWords): boolean {
  if (generic.has(word)) return true;
  const minLength = /[a-z]/.test(word) ? minEnding.spaced : minEnding.uncased;
  if (word.length >= minLength && endings.some((ending) => word.endsWith(ending))) return true;
  return word.includes(' ') && word.split(' ').every((part) => part.length < 2 || generic.has(part));
}
