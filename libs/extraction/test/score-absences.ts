import { readdirSync, readFileSync } from 'node:fs';
import { findBrands } from '../src/mentions/find-brands.ts';
import type { TrackedBrand } from '../src/names/tracked-brand.ts';

export type AbsenceScore = {
  language: string;
  /** Names of which nothing is known, and the other names. */
  absent: number;
  named: number;
  /** Sentences in which other names are found than those of which something is said. */
  errors: string[];
};

const sentences = new URL('absences/', import.meta.url);
const names = ['Acme', 'Globex', 'Initech', 'アクメ', '爱科美', '아크메', 'एक्मे'];
const anyName = new RegExp(String.raw`acme\.com|${names.join('|')}`, 'g');
const brands = names.map((name): TrackedBrand => ({
  id: name,
  name,
  domain: name === 'Acme' ? 'acme.com' : 'unrelated.example',
  aliases: [],
  isOwn: false,
}));

/** Reads the sentences of each language. Square brackets mark the names of which nothing is known. */
export function scoreAbsences(folder = sentences): AbsenceScore[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => {
      const { sentences: marked } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
        sentences: string[];
      };
      const score = { language: file.replace('.json', ''), absent: 0, named: 0, errors: [] };
      for (const sentence of marked) addSentence(score, sentence);
      return score;
    });
}

function addSentence(score: AbsenceScore, marked: string): void {
  const text = marked.replaceAll(/[[\]]/g, '');
  const absent = new Set(Array.from(marked.matchAll(/\[/g), ({ index }, count) => index - 2 * count));
  const named = Array.from(text.matchAll(anyName), ({ index }) => index).filter((at) => !absent.has(at));
  const found = findBrands(text, brands)
    .matches.flat()
    .map(({ start }) => start)
    .toSorted((a, b) => a - b);
  score.absent += absent.size;
  score.named += named.length;
  if (found.join() !== named.join()) score.errors.push(marked);
}
