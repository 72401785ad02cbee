/**
 * What a reader of the answer sees: link targets, images, markup and citation marks are blanked out, so that
 * a brand that is only cited ("([acme.com](https://…))") does not count as mentioned.
 */
export function visibleText(answerText: string): string {
  const text = answerText
    .replace(image, ' ')
    .replace(citationGroup, ' ')
    .replace(link, (_whole, label: string) => (isFootnote(label) ? ' ' : label))
    .replace(footnoteDefinition, ' ')
    .replace(bareUrl, (_whole, host: string) => host)
    .replace(htmlTag, ' ')
    .replace(emphasis, '')
    .replace(entity, (whole, name: string) => entities[name] ?? whole);
  return comparable(text);
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
const target = String.raw`\(<?(?:[^()\s<>]|\([^()\s]{0,200}\)){1,2048}>?(?:\s{1,5}"[^"\n]{0,300}")?\)`;
const label = String.raw`\[((?:[^[\]\n]|\[[^[\]\n]{0,100}\]){0,400})\]`;
const image = new RegExp(String.raw`!${label}${target}`, 'g');
const link = new RegExp(label + target, 'g');
/** A pair of parentheses holding links alone: the way ChatGPT writes its sources. */
const citationGroup = new RegExp(String.raw`\(\s{0,5}(?:${label}${target}[\s,;]{0,5}){1,20}\)`, 'g');
const footnoteDefinition = /^\s{0,3}\[\^?\d{1,3}\]:?\s{1,3}<?https?:\/\/\S{1,2048}.*$/gm;
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
const entity = /&(amp|nbsp|apos|quot|#0?39|#x27);/g;
const entities: Record<string, string> = {
  amp: '&',
  nbsp: ' ',
  apos: "'",
  quot: '"',
  '#39': "'",
  '#039': "'",
  '#x27': "'",
};
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

function isFootnote(text: string): boolean {
  return /^(?:\[?\^?\d{1,3}\]?)?$/.test(text.trim());
}
