import { fail, readWordLists, toEntries } from './word-lists.ts';

const sections = [
  'contrast',
  'joining',
  'concession',
  'article',
  'origin',
  'standard',
  'standard after',
  'equal',
  'equal after',
  'other',
  'other after',
  'preposition',
  'lead',
  'pronoun',
] as const;

export type GrammarSection = (typeof sections)[number];

const grammars = readWordLists('grammar', { sections, options: ['no spaces'] as const });
/** `{within}` of a pattern: a part of the same clause. */
const within = String.raw`[^.;:!?\n]{0,60}?`;

export const hasGrammar = (language: string): boolean => grammars.has(language);

/** Words that separate what is said of two brands. */
export const contrastWords = (language: string): string[] => readWords(language, 'contrast');

/** Words that may stand before a name. */
export const articleWords = (language: string): string[] => readWords(language, 'article');

/** Words that join names or clauses. */
export const joiningWords = (language: string): string[] => readWords(language, 'joining');

function readWords(language: string, section: GrammarSection): string[] {
  return toEntries(grammars.get(language)?.sections[section] ?? []).map(({ text }) => text);
}

/** The lines of a section as one pattern in a frame, null if a language has none. */
export function grammarPattern(
  language: string,
  section: GrammarSection,
  toFrame: (lines: string, isUnspaced: boolean) => string,
): RegExp | null {
  const { sections: lists, options } = grammars.get(language) ?? {};
  const lines = lists?.[section] ?? [];
  if (lines.length === 0 || options === undefined) return null;
  const articles = articleWords(language).map((word) => ` ${word}`);
  const sources = lines.map((line) => {
    const source = line.text.replace('{within}', within).replace('{article}', `(?:${articles.join('|')})?`);
    return isPattern(source) ? source : fail(line, 'not a regular expression');
  });
  return new RegExp(toFrame(sources.join('|'), options.has('no spaces')), 'iu');
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').flags === 'u';
  } catch {
    return false;
  }
}
