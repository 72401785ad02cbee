import { decodeHTMLStrict } from 'entities/decode';
import { removeCitationMarks } from './citation-marks.ts';
import { toCompatible } from './compatible-text.ts';
import { EditedText } from './edited-text.ts';
import { removeLinks } from './links.ts';
import type { Span } from './span.ts';

/** Layout that the visible text has lost: a line in bold letters, or a list item whose bullet was an asterisk. */
export type LineMark = 'bold' | 'bullet';

/** The visible text, and the marks of its lines by their numbers from 0. */
export type VisibleText = {
  text: string;
  /** The answer's text with its markup, without citation marks. */
  cited: EditedText;
  marks: ReadonlyMap<number, LineMark>;
  /** The span of the answer's text that shows a span of the visible text. */
  toOriginal: (span: Span) => Span;
};

/**
 * The text that a reader of the answer sees. Removes link targets, images, markup and citation marks, so that a brand
 * that is only cited ("([acme.com](https://…))") does not count as mentioned. Also removes a link's label that is an
 * address, unless its host is one of `hostNames`.
 */
export function visibleText(answerText: string, hostNames: ReadonlySet<string> = new Set()): VisibleText {
  const cited = removeCitationMarks(new EditedText(answerText));
  const marked = removeLinks(cited, hostNames)
    .replace(bareUrl, ({ indices }) => [toSpan(indices?.[1])])
    .replace(htmlTag, ' ');
  const unmarked = marked.replace(emphasis, '');
  const decoded = unmarked.replace(entity, ({ 0: written }) => [decodeHTMLStrict(written)]);
  const visible = toCompatible(decoded);
  const { text } = visible;
  // A decoded line break would shift the numbers of the lines.
  const isSameLines = countLines(text) === countLines(unmarked.text);
  return {
    text,
    cited,
    marks: isSameLines ? readMarks(marked.text) : new Map(),
    toOriginal: (span) => visible.toOriginal(span),
  };
}

function toSpan([start, end]: readonly [number, number] = [0, 0]): Span {
  return { start, end };
}

/** The marks of the lines of a text that still has its emphasis. */
function readMarks(text: string): ReadonlyMap<number, LineMark> {
  const marks = new Map<number, LineMark>();
  if (!/[*_]/.test(text)) return marks;
  for (const [number, line] of text.split('\n').entries()) {
    if (bulletLine.test(line)) marks.set(number, 'bullet');
    else if (boldLine.test(line)) marks.set(number, 'bold');
  }
  return marks;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** A name as it appears in a visible text: both lose the same characters, else the name could not match. */
export function visibleName(name: string): string {
  const bare = name.replace(emphasis, '');
  // "A*" without its asterisk would match every article "a".
  return toCompatible(new EditedText(lettersIn(bare) < 2 ? name : bare)).text;
}

/** Number of letters and digits of a name. */
export function lettersIn(text: string): number {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length;
}

// Every repetition is bounded, because answers are untrusted input.
const bareUrl =
  /\bhttps?:\/\/(?:[^\s/@]{1,200}@)?([\p{L}\p{N}.-]{1,253})(?::\d{1,5})?(?:[/?#][^\s)\]>"']{0,2048})?/dgiu;
/**
 * "<acme.com>" is a visible link and "<b and Acme > c" a comparison. A tag is recognised by attributes with values, or by
 * one of these attributes without a value.
 */
const bareAttributes =
  'open|hidden|disabled|checked|selected|required|readonly|multiple|controls|autoplay|loop|muted|async|defer|noshade|nowrap';
const htmlTag = new RegExp(
  String.raw`<\/?[a-z][a-z0-9-]{0,30}(?:[\s/][^<>\n=]{0,200}=[^<>\n]{0,500}|(?:\s{1,5}(?:${bareAttributes})){0,4}\s{0,5}\/?)>`,
  'gi',
);
/** "**Zoho** CRM" reads as "Zoho CRM"; an asterisk between letters ("E*TRADE") belongs to the name. */
const emphasis = /\*{2,3}|(?<![\p{L}\p{N}])[*`]|[*`](?![\p{L}\p{N}])/gu;
const boldLine = /^[ \t>]{0,20}(\*\*\*?|__)(?![\s*_])[^*\n]{1,200}\1[ \t]{0,5}[:：]?[ \t]{0,20}$/;
const bulletLine = /^[ \t>]{0,40}\*[ \t]/;
const entity = /&(?:#\d{1,8}|#x[\da-f]{1,8}|[a-z][a-z\d]{1,40});/gi;
