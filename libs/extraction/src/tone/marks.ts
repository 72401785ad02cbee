import { brandMark, type Entry, type EntryKind, type Lexicon } from './lexicon.ts';
import { readRating } from './ratings.ts';

/** A word or phrase of the lists in a text, or a mark of punctuation. Positions count words, or characters without spaces. */
export type Mark = {
  kind: EntryKind | 'comma' | 'stop';
  value: number;
  negates: boolean;
  isNegative: boolean;
  at: number;
  end: number;
};

type Token = {
  kind: 'word' | 'number' | 'brand' | 'comma' | 'stop' | 'quote';
  word: string;
  /** Has a capital letter that does not start a sentence. */
  isCapital: boolean;
  /** Has a capital letter and is no acronym. */
  isName: boolean;
};

const plain = { value: 0, negates: false, isNegative: false };
const minTitleWord = 4;
/** Words that headings write in small letters. */
const smallWords = new Set(['with', 'from', 'than', 'that', 'your', 'over', 'into', 'when']);

const spaced =
  /\d+(?:[.,]\d+)*|[★⭐][★⭐☆✩]*|[\p{L}\p{M}\p{N}]+(?:['’‑-][\p{L}\p{M}\p{N}]+)*|\uE000|[.,;:!?…()\n–—|/•।،，。；：！？、[\]"“”„«»]/gu;
const spacedElided =
  /\d+(?:[.,]\d+)*|[★⭐][★⭐☆✩]*|[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*|\uE000|[.,;:!?…()\n–—|/•[\]"“”«»]/gu;
const stop = /^[.;:!?…()\n–—|/•।。；：！？[\]]$/u;
const comma = /^[,،，、]$/u;
const quote = /^["“”„«»]$/u;
const maxEnding = 8;
const minStem = 2;
const maxGap = 3;
const maxCached = 20_000;
const startingKinds = new Set<EntryKind>(['and', 'contrast', 'concession', 'negation']);
/** Entries by word and language: texts repeat their words. */
const cache = new Map<Lexicon, Map<string, Entry[]>>();
export function readMarks(text: string, lexicon: Lexicon): Mark[] {
  return lexicon.options.has('no spaces') ? readUnspaced(text, lexicon) : readSpaced(text, lexicon);
}

function readSpaced(text: string, lexicon: Lexicon): Mark[] {
  const tokens = tokenize(text, lexicon);
  const isTitle = isInTitleCase(tokens);
  const marks: Mark[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token === undefined) break;
    const found = token.kind === 'word' || token.kind === 'number' ? findEntry(tokens, at, lexicon) : null;
    if (found === null) {
      if (token.kind === 'comma' || token.kind === 'stop')
        marks.push({ ...plain, kind: token.kind, at, end: at + 1 });
      else if (token.kind === 'number') marks.push(...toRating(tokens, at));
      at += 1;
      continue;
    }
    const { entry, end, isNegated } = found;
    const { kind, negates, isNegative } = entry;
    const value = isNegated ? -entry.value : entry.value;
    const isName = value !== 0 && !isTitle && isPartOfName(tokens, at, end, entry, lexicon);
    marks.push({ kind: isName ? 'neutral' : kind, value: isName ? 0 : value, negates, isNegative, at, end });
    at = end;
  }
  return marks;
}

function tokenize(text: string, { options }: Lexicon): Token[] {
  const tokens: Token[] = [];
  let starts = true;
  for (const [written] of text.matchAll(options.has('splits apostrophes') ? spacedElided : spaced)) {
    const kind = readKind(written);
    const first = written.charAt(0);
    const word = written.toLowerCase();
    const isCapital = kind === 'word' && first !== word.charAt(0);
    tokens.push({
      kind,
      word: /[’‑]/.test(word) ? word.replaceAll('’', "'").replaceAll('‑', '-') : word,
      isCapital: isCapital && !starts,
      isName: isCapital && written.length > 1 && written !== written.toUpperCase(),
    });
    starts = kind === 'stop' || kind === 'quote' || (starts && kind === 'brand');
  }
  return tokens;
}

function readKind(written: string): Token['kind'] {
  if (written.length > 1) return /^[\d★⭐]/u.test(written) ? 'number' : 'word';
  if (written === brandMark) return 'brand';
  if (comma.test(written)) return 'comma';
  if (stop.test(written)) return 'stop';
  if (quote.test(written)) return 'quote';
  return /[\p{N}★⭐]/u.test(written) ? 'number' : 'word';
}

/** "Great Value, Easy Setup": if every long word has a capital letter, it shows no name. */
function isInTitleCase(tokens: readonly Token[]): boolean {
  let long = 0;
  for (const { kind, word, isCapital, isName } of tokens) {
    if (kind !== 'word' || word.length < minTitleWord || smallWords.has(word)) continue;
    if (!isCapital && !isName) return false;
    long += 1;
  }
  return long > 1;
}

function toRating(tokens: readonly Token[], at: number): Mark[] {
  const wordAt = (index: number): string => tokens[index]?.word ?? '';
  const value = readRating(wordAt(at), {
    before: `${wordAt(at - 2)} ${wordAt(at - 1)}`,
    after: [wordAt(at + 1), wordAt(at + 2), wordAt(at + 3)],
  });
  return value === null ? [] : [{ ...plain, kind: 'opinion', value, at, end: at + 1 }];
}

/** "United States", "Best Western": a word with a capital letter inside a sentence belongs to a name. */
function isPartOfName(
  tokens: readonly Token[],
  at: number,
  end: number,
  entry: Entry,
  { options }: Lexicon,
): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (entry.length > 1) return token.isCapital && tokens[at + 1]?.isCapital === true && !entry.isNoun;
  if (options.has('nouns in capitals')) return token.isCapital && !entry.isNoun;
  const next = tokens[end];
  if (token.isCapital) return true;
  return token.isName && next !== undefined && next.isName && next.isCapital;
}

type Found = { entry: Entry; end: number; isNegated: boolean };

function findEntry(tokens: readonly Token[], at: number, lexicon: Lexicon): Found | null {
  for (const entry of entriesOf(tokens[at]?.word ?? '', lexicon)) {
    if (entry.startsClause && !startsClause(tokens[at - 1], lexicon)) continue;
    const end = matchRest(tokens, at + 1, entry.rest, lexicon);
    if (end === null) continue;
    // "raad Acme niet aan": a negation in the gap of a phrase.
    const isNegated =
      entry.rest.includes('~') &&
      tokens.slice(at + 1, end).some(({ word }) => isNegation(word, entry, lexicon));
    return { entry, end, isNegated };
  }
  return null;
}

/** Whether a clause starts behind a token: a mark of punctuation, "and", "but" or "not". */
function startsClause(previous: Token | undefined, { exact }: Lexicon): boolean {
  if (previous === undefined) return true;
  if (previous.kind !== 'word') return previous.kind !== 'brand' && previous.kind !== 'number';
  return (
    exact.get(previous.word)?.some(({ kind, length }) => length === 1 && startingKinds.has(kind)) === true
  );
}

function isNegation(word: string, phrase: Entry, { exact }: Lexicon): boolean {
  return (
    !phrase.rest.includes(word) &&
    exact.get(word)?.some(({ kind, length }) => kind === 'negation' && length === 1) === true
  );
}

/** The entries that a word may start, the longest phrase first. */
function entriesOf(word: string, lexicon: Lexicon): readonly Entry[] {
  let known = cache.get(lexicon);
  if (known === undefined || known.size > maxCached) {
    known = new Map();
    cache.set(lexicon, known);
  }
  const cached = known.get(word);
  if (cached !== undefined) return cached;
  const entries = [...(lexicon.exact.get(word) ?? [])];
  for (let length = word.length; length >= Math.max(minStem, word.length - maxEnding); length -= 1) {
    entries.push(...(lexicon.stems.get(word.slice(0, length)) ?? []));
  }
  // The sort is stable: an exact word goes before a stem, a long stem before a short one.
  entries.sort((a, b) => b.length - a.length);
  known.set(word, entries);
  return entries;
}

/** The position behind the remaining words of a phrase, null if they do not follow. */
function matchRest(
  tokens: readonly Token[],
  from: number,
  rest: readonly string[],
  { articles }: Lexicon,
): number | null {
  let at = from;
  for (const [index, pattern] of rest.entries()) {
    if (pattern === '~') {
      const gap = findGap(tokens, at, rest[index + 1] ?? '');
      if (gap === null) return null;
      at += gap;
      continue;
    }
    if (pattern === brandMark && articles.has(tokens[at]?.word ?? '')) at += 1;
    if (!matchesWord(tokens[at]?.word, pattern)) return null;
    at += 1;
  }
  return at;
}

/** Number of words before the next one of a phrase, null if it does not follow. */
function findGap(tokens: readonly Token[], at: number, next: string): number | null {
  for (let gap = 0; gap <= maxGap; gap += 1) {
    const word = tokens[at + gap]?.word;
    if (matchesWord(word, next)) return gap;
    if (stop.test(word ?? '.')) return null;
  }
  return null;
}

function matchesWord(word: string | undefined, pattern: string): boolean {
  if (word === undefined) return false;
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}

/** Marks in a text without spaces: the longest entry at each position. */
function readUnspaced(text: string, lexicon: Lexicon): Mark[] {
  const lower = text.toLowerCase();
  const marks: Mark[] = [];
  for (let at = 0; at < lower.length;) {
    const entry = findUnspaced(lower, at, lexicon);
    if (entry !== null) {
      const { kind, value, negates, isNegative } = entry;
      marks.push({ kind, value, negates, isNegative, at, end: at + entry.size });
      at += entry.size;
      continue;
    }
    const character = lower.charAt(at);
    const kind = character === '/' ? 'word' : readKind(character);
    // A full stop inside a number ends nothing.
    const isInNumber = /[.,]/.test(character) && /\d/.test(lower.charAt(at + 1));
    if ((kind === 'comma' || kind === 'stop') && !isInNumber) marks.push({ ...plain, kind, at, end: at + 1 });
    at += 1;
  }
  return marks;
}

function findUnspaced(
  text: string,
  at: number,
  { exact, maxLength }: Lexicon,
): (Entry & { size: number }) | null {
  for (let size = Math.min(maxLength, text.length - at); size > 0; size -= 1) {
    const entry = exact.get(text.slice(at, at + size))?.[0];
    if (entry !== undefined) return { ...entry, size };
  }
  return null;
}
