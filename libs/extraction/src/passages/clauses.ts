import { contrastWords, joiningWords } from '../text/grammar.ts';
import type { Span } from '../text/span.ts';
import type { Mention, Role } from './roles.ts';

export type NamedMention = Mention & { role: Role };
export type Clause = Span & { mentions: NamedMention[] };

/** Limits the search for a separator between two names. */
const maxBetween = 400;
const minLettersBefore = 4;
const minLettersAfter = 2;
const maxWordsBefore = 3;

type Separators = { strong: RegExp; weak: RegExp };
const compiled = new Map<string, Separators>();

/**
 * Splits a sentence with several brands so that each clause is about its own: "A is good, B is slow". A list of names
 * ("A and B are good") stays together.
 */
export function splitClauses(
  text: string,
  sentence: Span,
  mentions: readonly NamedMention[],
  language: string,
): Clause[] {
  const clauses: Clause[] = [];
  let open: Clause = { start: sentence.start, end: sentence.end, mentions: [] };
  let previous: NamedMention | undefined;
  for (const [index, mention] of mentions.entries()) {
    const split =
      previous !== undefined && mention.role === 'subject' && mention.brand !== previous.brand
        ? findSplit(
            text,
            { open, previous, mention, end: mentions[index + 1]?.start ?? sentence.end },
            language,
          )
        : null;
    if (split !== null) {
      open.end = split;
      // Names between the separator and the split brand start the new clause: "…, unlike C, B is slow".
      const moved = open.mentions.filter(({ start }) => start >= split);
      open.mentions = open.mentions.filter(({ start }) => start < split);
      clauses.push(open);
      open = { start: split, end: sentence.end, mentions: moved };
    }
    open.mentions.push(mention);
    if (mention.role === 'subject') previous = mention;
  }
  clauses.push(open);
  return clauses;
}

type Pair = { open: Clause; previous: NamedMention; mention: NamedMention; end: number };

/** The index of the separator between two brands, null if what is said is said of both. */
function findSplit(text: string, { open, previous, mention, end }: Pair, language: string): number | null {
  const from = Math.max(previous.end, mention.start - maxBetween);
  const between = text.slice(from, mention.start);
  const { strong, weak } = separatorsOf(language);
  const contrast = lastMatch(between, strong);
  if (contrast !== null) return from + contrast.index;
  const separator = lastMatch(between, weak);
  if (separator === null) return null;
  const left = between.slice(0, separator.index);
  const right = between.slice(separator.index + separator[0].length);
  if (letters(left) === 0 && letters(right) === 0) return null;
  if (right.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length > maxWordsBefore) return null;
  const said =
    letters(text.slice(Math.max(open.start, previous.start - maxBetween), previous.start)) + letters(left);
  if (said < minLettersBefore) return null;
  if (letters(right) + letters(text.slice(mention.end, Math.min(end, mention.end + 40))) < minLettersAfter)
    return null;
  return from + separator.index;
}

function letters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

function lastMatch(text: string, pattern: RegExp): (RegExpMatchArray & { index: number }) | null {
  let last: RegExpExecArray | null = null;
  for (const match of text.matchAll(pattern)) last = match;
  return last;
}

function separatorsOf(language: string): Separators {
  const known = compiled.get(language);
  if (known !== undefined) return known;
  const separators = {
    strong: new RegExp(
      `[;；|]${alternatives(contrastWords(language))}${language === 'zh' ? '|但|而|不过' : ''}`,
      'giu',
    ),
    weak: new RegExp(`[,，、–—]${alternatives(joiningWords(language))}`, 'giu'),
  };
  compiled.set(language, separators);
  return separators;
}

function alternatives(words: readonly string[]): string {
  return words.length === 0 ? '' : String.raw`|(?<![\p{L}\p{N}])(?:${words.join('|')})(?![\p{L}\p{N}])`;
}
