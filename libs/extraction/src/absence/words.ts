import { fold } from '../text/fold.ts';
import { readWordLists, toEntries, type WordList } from '../text/word-lists.ts';

/** The sections of a list of absence statements, which words/README.md explains. */
const sections = [
  'cues',
  'parts',
  'intro',
  'and',
  'prepositions',
  'conjunctions',
  'tail',
  'endings',
  'statements',
] as const;

export type AbsenceWords = WordList<(typeof sections)[number], 'no spaces'>;

/** The absence statements by ISO 639-1 code of their language. */
export const absenceWords = readWordLists('absence', { sections, options: ['no spaces'] as const });

/** Every statement contains one of these texts, so that a text without them needs no search. */
export function cuesOf({ sections: { cues } }: AbsenceWords): string[] {
  return toEntries(cues).map(({ text }) => fold(text.replaceAll('_', ' ')).text);
}
