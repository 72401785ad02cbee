import { contrastWords, joiningWords } from '../text/connectives.ts';
import { toneWords, type ToneWords } from '../tone-words/index.ts';

/**
 * What a word or phrase does. `item`: evaluates. `fault`: a bad thing that the brand has, or works against. `claim`:
 * evaluates only if it is negated. `not`: negates what follows. `turner`: what follows is a task, not a fault ("prevents errors"). `softener`: halves what
 * follows. `condition`: what follows is not a statement ("if"). `void`: the clause evaluates nothing ("no information
 * about"). `absence`: does so if it is negated. `neutral`: holds other words of the list, but evaluates nothing.
 */
export type EntryKind =
  | 'item'
  | 'fault'
  | 'claim'
  | 'not'
  | 'turner'
  | 'softener'
  | 'condition'
  | 'void'
  | 'absence'
  | 'copula'
  | 'contrast'
  | 'and'
  | 'neutral';

export type Entry = {
  kind: EntryKind;
  /** -3 to 3 of an item or fault, else 0. */
  value: number;
  /** Also negates what follows ("lacks"). */
  negates: boolean;
  /** Starts with a negation of its own, so that another one does not reverse it ("n'est pas mal"). */
  isNegative: boolean;
  /** Starts with a capital letter in the list, as German nouns do. */
  isNoun: boolean;
  /** Further words: `*` matches any ending, `~` up to three words, `@` a brand. Empty for a single word. */
  rest: string[];
  /** Number of words without gaps: the longest phrase wins. */
  length: number;
};

export type Lexicon = {
  language: string;
  /** Entries by their first word, and by the start of it. */
  exact: ReadonlyMap<string, Entry[]>;
  stems: ReadonlyMap<string, Entry[]>;
  /** Length of the longest entry in a script without spaces. */
  maxLength: number;
  options: Pick<
    ToneWords,
    'notFollows' | 'turnerFollows' | 'nounsInCapitals' | 'splitsApostrophes' | 'script'
  >;
};

/** Brand in an entry, and in the text that is rated. */
export const brandMark = '\uE000';

/** Languages that use the list of a close one. */
const relatives: Record<string, string> = {
  no: 'da',
  nb: 'da',
  nn: 'da',
  ms: 'id',
  mr: 'hi',
  ne: 'hi',
  fil: 'tl',
};

/** Languages that the lexicon rates. Norwegian and Malay are rated by the lists of Danish and Indonesian. */
export const lexiconLanguages: readonly string[] = [...Object.keys(toneWords), 'ms', 'no'].toSorted();

const compiled = new Map<string, Lexicon>();

/** The language whose word lists rate a text of the given language, null if there are none. */
export function toneLanguage(language: string): string | null {
  const related = relatives[language] ?? language;
  return Object.hasOwn(toneWords, related) ? related : null;
}

/** The word lists of a language, null if there are none. They are compiled once. */
export function getLexicon(language: string): Lexicon | null {
  const known = compiled.get(language);
  if (known !== undefined) return known;
  const words = Object.hasOwn(toneWords, language) ? toneWords[language] : undefined;
  if (words === undefined) return null;
  const lexicon = compile(language, words);
  compiled.set(language, lexicon);
  return lexicon;
}

function compile(language: string, words: ToneWords): Lexicon {
  const exact = new Map<string, Entry[]>();
  const stems = new Map<string, Entry[]>();
  const nots = new Set(split(words.not).map((text) => text.toLowerCase()));
  let maxLength = 0;
  const add = (list: string | undefined, kind: EntryKind, value = 0): void => {
    for (const text of split(list)) {
      const lower = text.toLowerCase().replaceAll('@', brandMark);
      const plain = words.splitsApostrophes === true ? lower.replaceAll("'", ' ') : lower;
      const [first = '', ...rest] = words.script === 'unspaced' ? [plain] : plain.split(' ');
      const length = rest.filter((word) => word !== '~').length + 1;
      const isNoun = text !== text.toLowerCase();
      const isNegative = rest.length > 0 && nots.has(first);
      const entry = { kind, value, negates: false, isNegative, isNoun, rest, length };
      const map = first.endsWith('*') ? stems : exact;
      const key = first.endsWith('*') ? first.slice(0, -1) : first;
      const others = map.get(key) ?? [];
      const same = others.find((other) => other.rest.join(' ') === rest.join(' '));
      maxLength = Math.max(maxLength, text.length);
      if (same === undefined)
        map.set(
          key,
          [...others, entry].toSorted((a, b) => b.length - a.length),
        );
      else if (kind === 'not') same.negates = true;
    }
  };
  add(words.neutral, 'neutral');
  add(words.void, 'void');
  add(words.great, 'item', 3);
  add(words.good, 'item', 2);
  add(words.bad, 'item', -2);
  add(words.awful, 'item', -3);
  add(words.fault, 'fault', -2);
  add(words.claim, 'claim', 2);
  add(words.not, 'not');
  add(words.turner, 'turner');
  add(words.softener, 'softener');
  add(words.condition, 'condition');
  add(words.absence, 'absence');
  add(words.copula, 'copula');
  add(contrastWords(language).join(), 'contrast');
  add(joiningWords(language).join(), 'and');
  return { language, exact, stems, maxLength, options: words };
}

/** The entries of a list. "find|finds the best" is two entries. */
function split(list: string | undefined): string[] {
  return (list ?? '')
    .split(/[,\n]/)
    .map((entry) => entry.trim().replace(/\s+/g, ' '))
    .filter((entry) => entry !== '')
    .flatMap((entry) => {
      let expanded = [''];
      for (const word of entry.split(' ')) {
        const forms = word.split('|');
        expanded = expanded.flatMap((start) =>
          forms.map((form) => (start === '' ? form : `${start} ${form}`)),
        );
      }
      return expanded;
    });
}
