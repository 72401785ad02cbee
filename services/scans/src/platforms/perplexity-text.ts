import type { ParsedBody } from './platform.ts';
import { SourceList } from './sources.ts';

/** The cost that the service states has precedence over the configured prices. */
export type PerplexityBody = ParsedBody & { statedCostUsd: number | null };

export type ListedSource = { url?: string | null | undefined; title?: string | null | undefined } | null;

/** Sources of a marked text: those of its markers, then the other listed ones. */
export function parseSources(
  answerText: string,
  listed: readonly ListedSource[],
  withNumber: (number: number) => ListedSource | undefined,
): Pick<ParsedBody, 'sources' | 'sourcesUnresolved'> {
  const marked = markedNumbers(answerText);
  const sources = new SourceList();
  // An answer without markers is still based on its list: all sources count as cited.
  const cited = marked.length > 0 ? marked.map(withNumber) : listed;
  for (const source of cited) sources.cite(source);
  for (const source of listed) sources.retrieve(source);
  return sources.toCitations();
}

const openingTag = /(?<!`)<think(?:ing)?>/i;
/** An unclosed block of thoughts starts a line. Inside a line, the tag is text. */
const unclosedTag = /(?:^|\n)\s{0,20}<think(?:ing)?>/i;
const closingTag = /(?<!`)<\/think(?:ing)?>/gi;

/**
 * Removes the model's thoughts. Reasoning models write them before the answer, between `<think>` and `</think>`. The
 * opening tag may be absent. The closing tag is absent if the answer was cut off.
 */
export function withoutThoughts(content: string): string {
  let rest = '';
  let from = 0;
  for (const { index, 0: tag } of content.matchAll(closingTag)) {
    const block = content.slice(from, index);
    const opened = openingTag.exec(block);
    // Without an opening tag, everything before the closing tag is thoughts.
    rest = opened === null ? '' : rest + block.slice(0, opened.index);
    from = index + tag.length;
  }
  const last = content.slice(from);
  const answer = rest + last.slice(0, unclosedTag.exec(last)?.index);
  return answer === content ? content : answer.trim();
}

const markerNumber = String.raw`(?:web:)?(\d{1,2})`;
const marker = new RegExp(
  String.raw`\[\s?\^?(?:web:)?\d{1,2}(?:\s?[,;–-]\s?(?:web:)?\d{1,2}){0,30}\s?\]`,
  'g',
);
const markerItem = new RegExp(String.raw`${markerNumber}(?:\s?[–-]\s?${markerNumber})?`, 'g');

export function hasMarkers(text: string): boolean {
  return markedNumbers(text).length > 0;
}

/**
 * The source numbers that the text cites, in order of first occurrence: `[1]`, `[1, 2]`, `[1-3]`, `[web:1]`. A number
 * above the length of the list is still a marker. A number of three digits is not.
 */
function markedNumbers(text: string): number[] {
  const numbers = Array.from(text.matchAll(marker), ([match]) =>
    Array.from(match.matchAll(markerItem), ([, first, last = first]) => range(Number(first), Number(last))),
  ).flat(2);
  return [...new Set(numbers.filter((each) => each >= 1))];
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, index) => first + index);
}
