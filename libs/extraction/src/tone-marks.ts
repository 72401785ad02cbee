import { brandMark, type Entry, type EntryKind, type Lexicon } from './tone-lexicon.ts';

/** A word or phrase of the lists in a text, or a mark of punctuation. Positions count words, or characters without spaces. */
export type Mark = {
  kind: EntryKind | 'comma' | 'stop';
  value: number;
  negates: boolean;
  isNegative: boolean;
  at: number;
  end: number;
};

type Token = { word: string; isCapital: boolean; isName: boolean };

const spaced =
  /\d+(?:[.,]\d+)*|[\p{L}\p{M}\p{N}]+(?:['’‑-][\p{L}\p{M}\p{N}]+)*|\uE000|[.,;:!?…()\n–—|/•।،，。；：！？、[\]"“”„«»]/gu;
const spacedElided =
  /\d+(?:[.,]\d+)*|[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*|\uE000|[.,;:!?…()\n–—|/•[\]"“”«»]/gu;
const stop = /^[.;:!?…()\n–—|/•।。；：！？[\]]$/u;
const comma = /^[,،，、]$/u;
const quote = /^["“”„«»]$/u;
const maxEnding = 8;
const minStem = 2;
const maxGap = 3;
const maxCached = 20_000;
/** Entries by word and language: texts repeat their words. */
const cache = new Map<Lexicon, Map<string, Entry[]>>();
const ratingWords =
  /^(?:stars?|sternen?|étoiles?|estrellas?|stelle|estrelas?|sterren|gwiazd\p{L}*|stjärn\p{L}*|stjern\p{L}*|tähteä|tähden|bintang|सितारे|स्टार)$/u;
const goodRating = 4.4;
const badRating = 2.5;

export function readMarks(text: string, lexicon: Lexicon): Mark[] {
  return lexicon.options.script === 'unspaced' ? readUnspaced(text, lexicon) : readSpaced(text, lexicon);
}

function readSpaced(text: string, lexicon: Lexicon): Mark[] {
  const tokens = tokenize(text, lexicon);
  const marks: Mark[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token === undefined) break;
    const found = findEntry(tokens, at, lexicon);
    if (found === null) {
      const mark = readPunctuation(token.word, at) ?? readRating(tokens, at);
      if (mark !== null) marks.push(mark);
      at += 1;
      continue;
    }
    const { entry, end, isNegated } = found;
    const { kind, negates, isNegative } = entry;
    const value = isNegated ? -entry.value : entry.value;
    const isName = value !== 0 && isPartOfName(tokens, at, end, entry, lexicon);
    marks.push({ kind: isName ? 'neutral' : kind, value: isName ? 0 : value, negates, isNegative, at, end });
    at = end;
  }
  return marks;
}

function tokenize(text: string, { options }: Lexicon): Token[] {
  const tokens: Token[] = [];
  let starts = true;
  for (const [written] of text.matchAll(options.splitsApostrophes === true ? spacedElided : spaced)) {
    const isWord = /^[\p{L}\p{M}]/u.test(written);
    const first = written.charAt(0);
    const isCapital = isWord && first !== first.toLowerCase();
    const isAcronym = isCapital && written.length > 1 && written === written.toUpperCase();
    tokens.push({
      word: written.toLowerCase().replaceAll('’', "'").replaceAll('‑', '-'),
      isCapital: isCapital && !starts,
      isName: isCapital && !isAcronym && written.length > 1,
    });
    starts =
      !isWord &&
      !comma.test(written) &&
      !/^[\d\uE000]/u.test(written) &&
      (starts || stop.test(written) || quote.test(written));
  }
  return tokens;
}

function readPunctuation(word: string, at: number): Mark | null {
  const base = { value: 0, negates: false, isNegative: false, at, end: at + 1 };
  if (comma.test(word)) return { ...base, kind: 'comma' };
  return stop.test(word) ? { ...base, kind: 'stop' } : null;
}

/** "4.6 stars" praises, "1.5 stars" does not. A whole number is more often a class of hotels. */
function readRating(tokens: readonly Token[], at: number): Mark | null {
  const word = tokens[at]?.word ?? '';
  if (!/^[0-5][.,]\d$/.test(word)) return null;
  const next = tokens[at + 1]?.word ?? '';
  const scale = `${next} ${tokens[at + 2]?.word ?? ''} ${tokens[at + 3]?.word ?? ''}`;
  if (!ratingWords.test(next) && !/^(?:\/ 5|out of 5|von 5|sur 5|de 5|su 5|van 5|av 5|af 5)\b/.test(scale))
    return null;
  const rating = Number(word.replace(',', '.'));
  const value = rating >= goodRating ? 2 : rating <= badRating ? -2 : 0;
  return { kind: 'item', value, negates: false, isNegative: false, at, end: at + 1 };
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
  if (options.nounsInCapitals === true) return token.isCapital && !entry.isNoun;
  const next = tokens[end];
  if (token.isCapital) return true;
  return token.isName && next !== undefined && next.isName && next.isCapital;
}

type Found = { entry: Entry; end: number; isNegated: boolean };

function findEntry(tokens: readonly Token[], at: number, lexicon: Lexicon): Found | null {
  for (const entry of entriesOf(tokens[at]?.word ?? '', lexicon)) {
    const end = matchRest(tokens, at + 1, entry.rest);
    if (end === null) continue;
    // "raad Acme niet aan": a negation in the gap of a phrase.
    const isNegated =
      entry.rest.includes('~') && tokens.slice(at + 1, end).some(({ word }) => isNot(word, entry, lexicon));
    return { entry, end, isNegated };
  }
  return null;
}

function isNot(word: string, phrase: Entry, { exact }: Lexicon): boolean {
  return (
    !phrase.rest.includes(word) &&
    exact.get(word)?.some(({ kind, length }) => kind === 'not' && length === 1) === true
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
function matchRest(tokens: readonly Token[], from: number, rest: readonly string[]): number | null {
  let at = from;
  for (let index = 0; index < rest.length; index += 1) {
    const pattern = rest[index] ?? '';
    if (pattern !== '~') {
      if (!matchesWord(tokens[at]?.word, pattern)) return null;
      at += 1;
      continue;
    }
    const next = rest[index + 1] ?? '';
    let gap = 0;
    while (gap <= maxGap && !matchesWord(tokens[at + gap]?.word, next)) {
      if (stop.test(tokens[at + gap]?.word ?? '.')) return null;
      gap += 1;
    }
    if (gap > maxGap) return null;
    at += gap;
  }
  return at;
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
    const mark = character === brandMark || character === '/' ? null : readPunctuation(character, at);
    // A full stop inside a number ends nothing.
    if (mark !== null && !(/[.,]/.test(character) && /\d/.test(lower.charAt(at + 1)))) marks.push(mark);
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
