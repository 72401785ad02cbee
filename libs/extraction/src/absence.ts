import type { Node } from './absence-nodes.ts';
import { readAbsenceWords } from './absence-notation.ts';
import { isWordStart, MaskedText, nameMark } from './absence-text.ts';
import { absenceWords, type AbsenceWords } from './absence-words/index.ts';
import type { BrandMatches } from './brand-matcher.ts';
import { fold, type Folded } from './fold.ts';
import type { Span } from './word-boundary.ts';

/** ISO 639-1 codes of the languages whose absence statements are recognised, sorted. */
export const absenceLanguages: readonly string[] = Object.keys(absenceWords).toSorted();

type Language = {
  words: AbsenceWords;
  cues: RegExp;
  /** The statements, and those of them that may start with a character. They are read with the first cue. */
  statements: { all: Node[]; byStart: Map<string, Node[]> } | null;
};

const toPattern = ({ cues }: AbsenceWords): string => fold(cues).text;
const languages = new Map(
  Object.entries(absenceWords).map(([code, words]): [string, Language] => [
    code,
    { words, cues: new RegExp(toPattern(words)), statements: null },
  ]),
);
const anyCue = new RegExp(Object.values(absenceWords).map(toPattern).join('|'), 'g');
const sentenceEnd = /(?<=[.!?…।] |[。！？;])/;
const anyMark = new RegExp(nameMark, 'g');
const maxCharacters = 2_000;

/** The occurrences of each brand, without those in an absence statement. */
export function withoutAbsences(text: string, folded: Folded, matches: BrandMatches[]): BrandMatches[] {
  const names = namesOf(matches);
  if (names.length === 0) return matches;
  const absent: Span[] = [];
  let searchedTo = -1;
  for (const { index } of folded.text.matchAll(anyCue)) {
    const at = folded.offsets[index] ?? 0;
    if (at <= searchedTo) continue;
    const start = text.lastIndexOf('\n', at) + 1;
    const next = text.indexOf('\n', at);
    searchedTo = next === -1 ? text.length : next;
    absent.push(...findInLine(text, { start, end: searchedTo }, names));
  }
  if (absent.length === 0) return matches;
  return matches.map((spans) =>
    spans.filter(({ start, end }) => !absent.some((name) => name.start <= start && end <= name.end)),
  );
}

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

/** The names in a line of which nothing is known. */
function findInLine(text: string, line: Span, names: readonly Span[]): Span[] {
  const inside = names.filter(({ start, end }) => start >= line.start && end <= line.end);
  if (inside.length === 0) return [];
  const absent: Span[] = [];
  let next = 0;
  for (const sentence of fold(maskNames(text, line, inside)).text.split(sentenceEnd)) {
    const marks = Array.from(sentence.matchAll(anyMark), ({ index }) => index);
    for (const { start, end } of marks.length === 0 ? [] : findInSentence(sentence))
      absent.push(
        ...inside.slice(next, next + marks.length).filter((_, index) => isWithin(marks[index], start, end)),
      );
    next += marks.length;
  }
  return absent;
}

const isWithin = (at: number | undefined, start: number, end: number): boolean =>
  at !== undefined && at >= start && at < end;

/** The text of a line with marks in place of names: no punctuation of a name ends a sentence. */
function maskNames(text: string, line: Span, names: readonly Span[]): string {
  let masked = '';
  let from = line.start;
  for (const { start, end } of names) {
    masked += text.slice(from, start).replaceAll(nameMark, ' ') + nameMark;
    from = end;
  }
  return masked + text.slice(from, line.end).replaceAll(nameMark, ' ');
}

/** The parts of a sentence with names of which it says that nothing is known. All languages with a cue are tried. */
function findInSentence(sentence: string): Span[] {
  const found: Span[] = [];
  for (const [code, language] of languages) {
    if (language.cues.test(sentence)) found.push(...findInLanguage(sentence, code, language));
  }
  return found;
}

function findInLanguage(sentence: string, code: string, language: Language): Span[] {
  language.statements ??= { all: readAbsenceWords(code, language.words), byStart: new Map() };
  const text = new MaskedText(sentence);
  const isUnspaced = language.words.script === 'unspaced';
  const found: Span[] = [];
  // A statement has a name in it.
  const last = sentence.lastIndexOf(nameMark);
  for (let at = 0; at <= last; at += 1) {
    const character = sentence.charAt(at);
    if (!isUnspaced && character !== nameMark && !isWordStart(sentence, at)) continue;
    for (const statement of startingWith(character, language.statements)) {
      const match = statement.match(text, at)[0];
      // Not in "I confirm that Acme exists": the negation must be part of the statement.
      if (match !== undefined && language.cues.test(sentence.slice(at, match.end + 1)))
        found.push(...match.names);
    }
  }
  return found;
}

function startingWith(character: string, { all, byStart }: NonNullable<Language['statements']>): Node[] {
  const known = byStart.get(character);
  if (known !== undefined) return known;
  const starting = all.filter(({ starts }) => starts === null || starts.has(character));
  if (byStart.size < maxCharacters) byStart.set(character, starting);
  return starting;
}
