import type { BrandMatches } from '../names/brand-matcher.ts';
import { withLegalForms } from '../names/legal-forms.ts';
import type { Folded } from '../text/fold.ts';
import type { Span } from '../text/span.ts';
import { isWordStart, MaskedText, nameMark, Steps } from './masked-text.ts';
import { readStatements } from './notation.ts';
import { maskNames, sentenceAround, toFolded } from './sentences.ts';
import { createStarts, type Starts } from './starts.ts';
import { absenceWords, cuesOf, type AbsenceWords } from './words.ts';

/** ISO 639-1 codes of the languages whose absence statements are recognised, sorted. */
export const absenceLanguages: readonly string[] = [...absenceWords.keys()];

type Language = {
  words: AbsenceWords;
  cues: RegExp;
  /** The statements. They are read with the first cue. */
  statements: Starts | null;
};

const languages = new Map(
  Array.from(absenceWords, ([code, words]): [string, Language] => [
    code,
    { words, cues: new RegExp(toPattern(cuesOf(words))), statements: null },
  ]),
);
const allCues = [...new Set([...absenceWords.values()].flatMap(cuesOf))];
/** A cue that starts with another one need not be searched. */
const anyCue = new RegExp(
  toPattern(allCues.filter((cue) => !allCues.some((other) => other !== cue && cue.startsWith(other)))),
  'g',
);
/** About 30 ms. A text of nothing but absence statements takes 3 to 15 steps a character. */
export const maxSteps = 80_000;

/**
 * The occurrences of each brand, without those in an absence statement. When the steps are spent, the rest of the text is
 * not searched for statements: its occurrences stay.
 */
export function withoutAbsences(
  text: string,
  folded: Folded,
  matches: BrandMatches[],
  steps = new Steps(maxSteps),
): BrandMatches[] {
  const names = namesOf(matches);
  if (names.length === 0) return matches;
  const absent: Span[] = [];
  let places: Span[] | null = null;
  let searchedTo = 0;
  for (const { index } of folded.text.matchAll(anyCue)) {
    if (index < searchedTo) continue;
    if (steps.isSpent) break;
    places ??= toFolded(withAllLegalForms(text, names), folded.offsets);
    const sentence = sentenceAround(folded.text, index, places);
    searchedTo = sentence.end;
    const { text: masked, marks, first } = maskNames(folded.text, sentence, places);
    for (const { start, end } of marks.length === 0 ? [] : findInSentence(masked, steps)) {
      absent.push(
        ...names.slice(first, first + marks.length).filter((_, at) => isWithin(marks[at], start, end)),
      );
    }
  }
  if (absent.length === 0) return matches;
  return matches.map((spans) =>
    spans.filter(({ start, end }) => !absent.some((name) => name.start <= start && end <= name.end)),
  );
}

const isWithin = (at: number | undefined, start: number, end: number): boolean =>
  at !== undefined && at >= start && at < end;

/** The places of names in order. Names that overlap are one. */
function namesOf(matches: readonly BrandMatches[]): Span[] {
  const names: Span[] = [];
  for (const { start, end } of matches.flat().toSorted((a, b) => a.start - b.start)) {
    const last = names.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else names.push({ start, end });
  }
  return names;
}

function withAllLegalForms(text: string, names: readonly Span[]): Span[] {
  return names.map((name, index) => {
    const { start, end } = withLegalForms(text, name);
    return {
      start: Math.max(start, names[index - 1]?.end ?? 0),
      end: Math.min(end, names[index + 1]?.start ?? end),
    };
  });
}

/** The parts of a sentence with names of which it says that nothing is known. All languages with a cue are tried. */
function findInSentence(sentence: string, steps: Steps): Span[] {
  const found: Span[] = [];
  for (const [code, language] of languages) {
    if (language.cues.test(sentence)) found.push(...findInLanguage(sentence, { code, language, steps }));
  }
  return found;
}

function findInLanguage(
  sentence: string,
  { code, language, steps }: { code: string; language: Language; steps: Steps },
): Span[] {
  language.statements ??= createStarts(readStatements(code, language.words));
  const starts = language.statements;
  const text = new MaskedText(sentence, steps);
  const isUnspaced = language.words.options.has('no spaces');
  const found: Span[] = [];
  // A statement has a name in it.
  const last = sentence.lastIndexOf(nameMark);
  for (let at = 0; at <= last && !steps.isSpent; at += 1) {
    const character = sentence.charAt(at);
    const isCharacter = isUnspaced || character === nameMark;
    if (!isCharacter && !isWordStart(sentence, at)) continue;
    steps.taken += 1;
    const statements = isCharacter
      ? starts.withCharacter(character)
      : starts.withWord(sentence.slice(at, text.wordEnd(at)));
    for (const statement of statements) {
      const match = statement.match(text, at)[0];
      // Not in "I confirm that Acme exists": the negation must be part of the statement.
      if (match !== undefined && language.cues.test(sentence.slice(at, match.end + 1)))
        found.push(...match.names);
    }
  }
  return found;
}

/** Cues in Latin letters start a word, except the end of "doesn't". */
function toPattern(cues: readonly string[]): string {
  const { true: starting = [], false: anywhere = [] } = Object.groupBy(cues, (cue) =>
    String(/^[a-z]/.test(cue) && !cue.startsWith("n't")),
  );
  return [...anywhere, ...(starting.length === 0 ? [] : [String.raw`\b(?:${starting.join('|')})`])].join('|');
}
