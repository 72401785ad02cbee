import { decodeHTMLStrict } from 'entities/decode';
import { withoutCitationMarks } from './citation-marks.ts';
import { withoutLinks } from './links.ts';

/** Layout that the visible text has lost: a line in bold letters, or a list item whose bullet was an asterisk. */
export type LineMark = 'bold' | 'bullet';

/** The visible text, and the marks of its lines by their numbers from 0. */
export type VisibleText = { text: string; marks: ReadonlyMap<number, LineMark> };

/**
 * The text that a reader of the answer sees. Removes link targets, images, markup and citation marks, so that a brand
 * that is only cited ("([acme.com](https://…))") does not count as mentioned. Also removes a link's label that is an
 * address, unless its host is one of `hostNames`.
 */
export function visibleText(answerText: string, hostNames: ReadonlySet<string> = new Set()): VisibleText {
  const marked = withoutLinks(withoutCitationMarks(answerText), hostNames)
    .replace(bareUrl, (_whole, host: string) => host)
    .replace(htmlTag, ' ');
  const unmarked = marked.replace(emphasis, '');
  const text = comparable(decodeHTMLStrict(unmarked));
  // A decoded line break would shift the numbers of the lines.
  return { text, marks: countLines(text) === countLines(unmarked) ? readMarks(marked) : new Map() };
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
  return comparable(lettersIn(bare) < 2 ? name : bare);
}

/** NFKC, except for characters that it would join to a name or separate from it ("McDonald´s"). */
function comparable(text: string): string {
  return text
    .replace(trademark, ' ')
    .replaceAll('´', "'")
    .replace(unraised, (part) => part.normalize('NFKC'))
    .replace(invisible, '');
}

/** Number of letters and digits of a name. */
export function lettersIn(text: string): number {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length;
}

// Every repetition is bounded, because answers are untrusted input.
const bareUrl =
  /\bhttps?:\/\/(?:[^\s/@]{1,200}@)?([\p{L}\p{N}.-]{1,253})(?::\d{1,5})?(?:[/?#][^\s)\]>"']{0,2048})?/giu;
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
/** Removed first, because NFKC turns "Acme™" into "AcmeTM". */
const trademark = /[™℠®©]/g;
/**
 * A footnote mark ("Acme²") or a part of a name ("C³ AI"). These characters stay unchanged here; `fold` turns them into
 * digits, and a word may end before them. A subscript is never a footnote.
 */
export const raisedMarks = '¹²³⁰⁴-⁹ªº';
export const raisedMark = new RegExp(`[${raisedMarks}]`);
const unraised = new RegExp(`[^${raisedMarks}]+`, 'g');
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g;
