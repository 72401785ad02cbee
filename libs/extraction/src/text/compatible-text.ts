import type { EditedText, Piece } from './edited-text.ts';

/** Removed first, because NFKC turns "Acme™" into "AcmeTM". */
const trademark = /[™℠®©]/g;
const acute = /´/g;
/**
 * A footnote mark ("Acme²") or a part of a name ("C³ AI"). These characters stay unchanged here; `fold` turns them into
 * digits, and a word may end before them. A subscript is never a footnote.
 */
export const raisedMarks = '¹²³⁰⁴-⁹ªº';
export const raisedMark = new RegExp(`[${raisedMarks}]`);
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g;
/** A part that NFKC changes independently of the text around it. Marks combine with the character before them. */
const independentPart = new RegExp(String.raw`\p{ASCII}?[^\p{ASCII}${raisedMarks}]+`, 'gu');
/** Marks, and letters that combine like marks: half-width kana marks and Hangul vowels. */
const combining = String.raw`\p{M}\uFF9E\uFF9F\u1160-\u11FF`;
/** Characters that NFKC does not change, or one character with its marks. */
const cluster = new RegExp(
  String.raw`[\u3041-\u3096\u30A1-\u30FA\u30FC\u4E00-\u9FFF\uAC00-\uD7A3、。]+(?![${combining}])|[^\p{M}][${combining}]*|\p{M}+`,
  'gu',
);

/** Characters other than these, which most texts consist of: NFKC keeps these, and none combines. */
const changeable = /[^\p{ASCII}À-ÿ–—‘’“”•€→]/u;

/** NFKC, except for characters that it would join to a name or separate from it ("McDonald´s"). */
export function toCompatible(edited: EditedText): EditedText {
  const plain = edited.replace(trademark, ' ').replace(acute, "'");
  if (!changeable.test(plain.text)) return plain;
  return plain
    .replace(independentPart, ({ 0: part, index }) => normalizedPieces(part, index))
    .replace(invisible, '');
}

function normalizedPieces(part: string, start: number): Piece[] {
  const whole = part.normalize('NFKC');
  if (whole === part) return [{ start, end: start + part.length }];
  const pieces: Piece[] = [];
  let joined = '';
  for (const { 0: written, index } of part.matchAll(cluster)) {
    const normalized = written.normalize('NFKC');
    joined += normalized;
    const from = start + index;
    pieces.push(normalized === written ? { start: from, end: from + written.length } : normalized);
  }
  // Rare characters combine across the pieces: then the part is replaced as a whole.
  return joined === whole ? pieces : [whole];
}
