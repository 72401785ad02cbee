import { type GrammarSection, grammarPattern, hasGrammar } from '../text/grammar.ts';

const before = (words: string, isUnspaced: boolean): string =>
  isUnspaced ? String.raw`(?:${words})\s{0,2}$` : String.raw`(?<![\p{L}\p{N}])(?:${words})\s{1,3}$`;
const after = (words: string): string => `^(?:${words})`;

/** How a language marks the roles: words in the text before a name, and after it. */
const frames = {
  origin: before,
  standard: before,
  'standard after': after,
  equal: before,
  'equal after': after,
  other: before,
  'other after': after,
  /** A later brand behind one is not what the sentence is about. */
  preposition: before,
} satisfies Partial<Record<GrammarSection, typeof before>>;

type RoleSection = keyof typeof frames;

/** Whether a text before or after a name marks a role. */
export type RoleWords = (section: RoleSection, text: string) => boolean;

const known = new Map<string, RoleWords>();

/** The words of a language, null if it has none. */
export function roleWords(language: string): RoleWords | null {
  if (!hasGrammar(language)) return null;
  const words = known.get(language) ?? compile(language);
  known.set(language, words);
  return words;
}

function compile(language: string): RoleWords {
  const patterns = new Map(
    Object.entries(frames).map(([section, frame]) => [
      section,
      grammarPattern(language, section as RoleSection, frame),
    ]),
  );
  return (section, text) => patterns.get(section)?.test(text) === true;
}
