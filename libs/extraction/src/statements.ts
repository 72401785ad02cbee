import type { BrandMatches } from './brand-matcher.ts';
import { contrastWords } from './negation.ts';

/** A sentence or clause that names brands; the names are removed from the text. */
export type Statement = { text: string; brands: number[] };

type Mention = { brand: number; start: number; end: number };
type Range = { start: number; end: number };

const segmenters = new Map<string, Intl.Segmenter>();

/**
 * The sentences that name a brand. A sentence with several brands is split at contrasts ("A is good, but B is slow").
 * The tone of each clause then belongs to its own brands.
 */
export function splitStatements(
  text: string,
  matches: readonly BrandMatches[],
  language: string,
): Statement[] {
  const mentions = matches
    .flatMap((spans, brand) => spans.map((span) => ({ brand, ...span })))
    .toSorted((a, b) => a.start - b.start);
  const statements: Statement[] = [];
  let next = 0;
  for (const { segment, index } of splitSentences(text, language)) {
    const end = index + segment.length;
    const inside: Mention[] = [];
    for (
      let mention = mentions[next];
      mention !== undefined && mention.start < end;
      mention = mentions[next]
    ) {
      inside.push(mention);
      next += 1;
    }
    if (inside.length > 0) statements.push(...toStatements(text, { start: index, end }, inside));
  }
  return statements;
}

export function splitSentences(text: string, language: string): Intl.Segments {
  let segmenter = segmenters.get(language);
  if (segmenter === undefined) {
    segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
    segmenters.set(language, segmenter);
  }
  return segmenter.segment(text);
}

function toStatements(text: string, sentence: Range, mentions: Mention[]): Statement[] {
  if (new Set(mentions.map((mention) => mention.brand)).size < 2)
    return [toStatement(text, sentence, mentions)];
  const statements: Statement[] = [];
  let open: { range: Range; mentions: Mention[] } | undefined;
  for (const clause of splitClauses(text, sentence)) {
    const inside = mentions.filter(({ start }) => start >= clause.start && start < clause.end);
    if (open === undefined) open = { range: clause, mentions: inside };
    else if (inside.length === 0 || open.mentions.length === 0) {
      // A clause without a brand belongs to the previous one.
      open = { range: { start: open.range.start, end: clause.end }, mentions: [...open.mentions, ...inside] };
    } else {
      statements.push(toStatement(text, open.range, open.mentions));
      open = { range: clause, mentions: inside };
    }
  }
  if (open !== undefined) statements.push(toStatement(text, open.range, open.mentions));
  return statements;
}

function splitClauses(text: string, sentence: Range): Range[] {
  const starts = [sentence.start];
  const inSentence = text.slice(sentence.start, sentence.end);
  for (const match of inSentence.matchAll(/[,;:–—|，；、]\s*(\p{L}*)/gu)) {
    const separator = match[0].charAt(0);
    const startsContrast = contrastWords.has((match[1] ?? '').toLowerCase());
    if (/[;|；]/.test(separator) || startsContrast || opensWithContrast(inSentence)) {
      starts.push(sentence.start + match.index + 1);
    }
  }
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? sentence.end }));
}

/** "While A is cheap, B is reliable": the comma starts the contrast. */
function opensWithContrast(sentence: string): boolean {
  return contrastWords.has(/^\P{L}*(\p{L}+)/u.exec(sentence)?.[1]?.toLowerCase() ?? '');
}

function toStatement(text: string, range: Range, mentions: Mention[]): Statement {
  let rest = '';
  let from = range.start;
  for (const { start, end } of mentions) {
    if (start < from) continue;
    // Words of a name have no tone: "Best Buy" is not positive.
    rest += `${text.slice(from, start)} _ `;
    from = end;
  }
  rest += text.slice(Math.min(from, range.end), range.end);
  return { text: rest, brands: [...new Set(mentions.map((mention) => mention.brand))] };
}
