import { fail, readWordLists, toEntries } from './word-lists.ts';

const sections = [
  'contrast',
  'joining',
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
  const [first, ...further] = lists?.[section] ?? [];
  if (first === undefined || options === undefined) return null;
  const source = [first, ...further]
    .map(({ text }) => text)
    .join('|')
    .replaceAll('{within}', within)
    .replaceAll(
      '{article}',
      `(?:${readWords(language, 'article')
        .map((word) => ` ${word}`)
        .join('|')})?`,
    );
  try {
    return new RegExp(toFrame(source, options.has('no spaces')), 'iu');
  } catch (error) {
    return fail(first, String(error));
  }
}
