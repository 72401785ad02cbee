import { articleWords, contrastWords, joiningWords } from '../text/grammar.ts';
import { fail, readWordLists, toEntries, type Line, type WordList } from '../text/word-lists.ts';

/** The sections of a word list: what their entries do, and their value. Of two equal entries the first counts. */
const sections = {
  neutral: ['neutral', 0],
  'no information': ['no information', 0],
  great: ['opinion', 3],
  good: ['opinion', 2],
  bad: ['opinion', -2],
  awful: ['opinion', -3],
  problem: ['problem', -2],
  expectation: ['expectation', 2],
  burden: ['burden', -2],
  concession: ['concession', 0],
  negation: ['negation', 0],
  shifter: ['shifter', 0],
  hedge: ['hedge', 0],
  condition: ['condition', 0],
  information: ['information', 0],
  predicate: ['predicate', 0],
} as const satisfies Record<string, readonly [EntryKind, number]>;

type Section = keyof typeof sections;
type Option =
  | 'negation follows'
  | 'shifter follows'
  | 'nouns in capitals'
  | 'splits apostrophes'
  | 'no spaces';

/**
 * What a word or phrase does. `opinion`: evaluates. `problem`: a bad thing that the brand has, or works against.
 * `expectation`: evaluates only if it is negated. `negation`: negates what follows. `shifter`: what follows is a task, not
 * a problem ("prevents errors"). `hedge`: halves what follows. `condition`: what follows is not a statement ("if").
 * `no information`: the clause evaluates nothing ("no information about"). `information`: does so if it is negated.
 * `burden`: criticises only what is praised before a contrast ("but requires"). `concession`: what follows counts little.
 * `predicate`: a shifter does not reach beyond. `neutral`: holds other words of the list, but evaluates nothing.
 */
export type EntryKind =
  | 'opinion'
  | 'problem'
  | 'expectation'
  | 'burden'
  | 'concession'
  | 'negation'
  | 'shifter'
  | 'hedge'
  | 'condition'
  | 'no information'
  | 'information'
  | 'predicate'
  | 'contrast'
  | 'and'
  | 'neutral';

export type Entry = {
  kind: EntryKind;
  /** -3 to 3 of an opinion or problem, else 0. */
  value: number;
  /** Also negates what follows ("lacks"). */
  negates: boolean;
  /** Starts with a negation of its own, so that another one does not reverse it ("n'est pas mal"). */
  isNegative: boolean;
  /** Starts with a capital letter in the list, as German nouns do. */
  isNoun: boolean;
  /** Stands where a clause starts (`^` in the list): "choose Acme", but not "who choose Acme". */
  startsClause: boolean;
  /** Further words: `*` matches any ending, `~` up to three words, `@` a brand. Empty for a single word. */
  rest: string[];
  /** Number of words without gaps, and `^`: the longest phrase wins. */
  length: number;
};

export type Lexicon = {
  language: string;
  /** Entries by their first word, and by the start of it. */
  exact: ReadonlyMap<string, Entry[]>;
  stems: ReadonlyMap<string, Entry[]>;
  /** Length of the longest entry in a script without spaces. */
  maxLength: number;
  options: ReadonlySet<Option>;
  /** Words that may stand before a brand. */
  articles: ReadonlySet<string>;
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

const toneWords = readWordLists<Section, Option>('tone', {
  sections: Object.keys(sections) as Section[],
  options: ['negation follows', 'shifter follows', 'nouns in capitals', 'splits apostrophes', 'no spaces'],
});

/** Languages that the lexicon rates. Norwegian and Malay are rated by the lists of Danish and Indonesian. */
export const lexiconLanguages: readonly string[] = [...toneWords.keys(), 'ms', 'no'].toSorted();

const compiled = new Map<string, Lexicon>();

/** The language whose word lists rate a text of the given language, null if there are none. */
export function toneLanguage(language: string): string | null {
  const related = relatives[language] ?? language;
  return toneWords.has(related) ? related : null;
}

/** The word lists of a language, null if there are none. They are compiled once. */
export function getLexicon(language: string): Lexicon | null {
  const known = compiled.get(language);
  if (known !== undefined) return known;
  const words = toneWords.get(language);
  if (words === undefined) return null;
  const lexicon = compile(language, words);
  compiled.set(language, lexicon);
  return lexicon;
}

function compile(language: string, { sections: lists, options }: WordList<Section, Option>): Lexicon {
  const exact = new Map<string, Entry[]>();
  const stems = new Map<string, Entry[]>();
  const negations = new Set(toPhrases(lists.negation).map((text) => text.toLowerCase()));
  let maxLength = 0;
  const add = (texts: readonly string[], kind: EntryKind, value = 0): void => {
    for (const text of texts) {
      const startsClause = text.startsWith('^ ');
      const lower = text.toLowerCase().replace(/^\^ /, '').replaceAll('@', brandMark);
      const plain = options.has('splits apostrophes') ? lower.replaceAll("'", ' ') : lower;
      const [first = '', ...rest] = options.has('no spaces') ? [plain] : plain.split(' ');
      const length = rest.filter((word) => word !== '~').length + (startsClause ? 2 : 1);
      const isNoun = text !== text.toLowerCase();
      const isNegative = rest.length > 0 && negations.has(first);
      const entry = { kind, value, negates: false, isNegative, isNoun, startsClause, rest, length };
      const map = first.endsWith('*') ? stems : exact;
      const key = first.endsWith('*') ? first.slice(0, -1) : first;
      const others = map.get(key) ?? [];
      const same = others.find(
        (other) => other.startsClause === startsClause && other.rest.join(' ') === rest.join(' '),
      );
      maxLength = Math.max(maxLength, text.length);
      if (same === undefined)
        map.set(
          key,
          [...others, entry].toSorted((a, b) => b.length - a.length),
        );
      else if (kind === 'negation') same.negates = true;
    }
  };
  for (const [section, [kind, value]] of Object.entries(sections))
    add(toPhrases(lists[section as Section]), kind, value);
  add(contrastWords(language), 'contrast');
  add(joiningWords(language), 'and');
  return { language, exact, stems, maxLength, options, articles: new Set(articleWords(language)) };
}

/** The phrases of lines. "find|finds the best" is two phrases. */
function toPhrases(lines: readonly Line[]): string[] {
  return toEntries(lines).flatMap((entry) => {
    let expanded = [''];
    for (const word of entry.text.split(' ')) {
      const forms = word.split('|');
      if (forms.includes('')) fail(entry, 'a word is missing at "|"');
      expanded = expanded.flatMap((start) => forms.map((form) => (start === '' ? form : `${start} ${form}`)));
    }
    return expanded;
  });
}
