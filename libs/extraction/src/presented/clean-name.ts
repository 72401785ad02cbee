import { decodeHTMLStrict } from 'entities/decode';
import type { Span } from '../text/span.ts';

const emoji = String.raw`\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}\u200D\uFE0F\u20E3`;
const leading = new RegExp(
  String.raw`^(?:[\s*_\x60~#>"'“”„«»‹›‘’「『【《([{\]\\:|–—-]|[${emoji}]|\d{1,3}[.)．、](?!\d)|[①-⑳]|#\d{1,3}\s|\d️?⃣)+`,
  'u',
);
const trailing = new RegExp(
  String.raw`(?:[\s*_\x60~"'“”„«»‹›‘’」』】》\])}\\:：,，、;|.。–—-]|[${emoji}™®©℠¹²³]|\[\d{1,3}\])+$`,
  'u',
);
const bracket = /\s*[(（[【].*$/u;
const marks = /\*{1,3}|__|[`\\]|[\u00AD\u200B-\u200F\u2060\uFEFF]/g;
const maxLength = 80;

/** A name without markup, numbering and punctuation around it, and where it is. Null if nothing is left. */
export function cleanName(text: string, { start, end }: Span): (Span & { name: string }) | null {
  let from = start;
  let to = end;
  const open = text.slice(from, to);
  from += leading.exec(open)?.[0].length ?? 0;
  const rest = text.slice(from, to);
  const cut = rest.search(bracket);
  if (cut > 0) to = from + cut;
  to -= trailing.exec(text.slice(from, to))?.[0].length ?? 0;
  if (to <= from) return null;
  const name = decodeHTMLStrict(text.slice(from, to).replace(marks, ''))
    .replace(/[™®©℠]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return name === '' || Array.from(name).length > maxLength ? null : { start: from, end: to, name };
}
