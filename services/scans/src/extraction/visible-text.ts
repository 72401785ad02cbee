import { decodeHTMLStrict } from 'entities/decode';
import { withoutCitationMarks } from './citation-marks.ts';
import { withoutLinks } from './links.ts';

/**
 * What a reader of the answer sees: link targets, images, markup and citation marks are blanked out, so that
 * a brand that is only cited ("([acme.com](https://…))") does not count as mentioned. A link's label that is an
 * address goes too, unless its host is one of `hostNames`.
 */
export function visibleText(answerText: string, hostNames: ReadonlySet<string> = new Set()): string {
  const text = withoutLinks(withoutCitationMarks(answerText), hostNames)
    .replace(bareUrl, (_whole, host: string) => host)
    .replace(htmlTag, ' ')
    .replace(emphasis, '');
  return comparable(decodeHTMLStrict(text));
}

/** A name as it reads in a visible text: what is taken out of the one can never be found of the other. */
export function visibleName(name: string): string {
  const bare = name.replace(emphasis, '');
  // "A*" without its star would be the article of every sentence.
  return comparable(lettersIn(bare) < 2 ? name : bare);
}

/** NFKC but for what it would glue to the name before it, or cut off from it ("McDonald´s"). */
function comparable(text: string): string {
  return text
    .replace(trademark, ' ')
    .replaceAll('´', "'")
    .replace(unraised, (part) => part.normalize('NFKC'))
    .replace(invisible, '');
}

/** Letters and digits of a name. */
export function lettersIn(text: string): number {
  return text.replace(/[^\p{L}\p{N}]/gu, '').length;
}

// Every repetition is bounded: an answer is written by somebody else.
const bareUrl =
  /\bhttps?:\/\/(?:[^\s/@]{1,200}@)?([\p{L}\p{N}.-]{1,253})(?::\d{1,5})?(?:[/?#][^\s)\]>"']{0,2048})?/giu;
/** "<acme.com>" is a link that readers see, "<b and Acme > c" a comparison: all but a few attributes have values. */
const bareAttributes =
  'open|hidden|disabled|checked|selected|required|readonly|multiple|controls|autoplay|loop|muted|async|defer|noshade|nowrap';
const htmlTag = new RegExp(
  String.raw`<\/?[a-z][a-z0-9-]{0,30}(?:[\s/][^<>\n=]{0,200}=[^<>\n]{0,500}|(?:\s{1,5}(?:${bareAttributes})){0,4}\s{0,5}\/?)>`,
  'gi',
);
/** "**Zoho** CRM" reads as "Zoho CRM"; what stands between letters ("E*TRADE") belongs to them. */
const emphasis = /\*{2,3}|(?<![\p{L}\p{N}])[*`]|[*`](?![\p{L}\p{N}])/gu;
/** NFKC would turn "Acme™" into "AcmeTM". */
const trademark = /[™℠®©]/g;
/**
 * The mark of a footnote ("Acme²") or a part of the name ("C³ AI"): they stay as written, `fold` reads them as
 * digits, and a word may end before them. A subscript is never a footnote.
 */
export const raisedMarks = '¹²³⁰⁴-⁹ªº';
export const raisedMark = new RegExp(`[${raisedMarks}]`);
const unraised = new RegExp(`[^${raisedMarks}]+`, 'g');
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g;
