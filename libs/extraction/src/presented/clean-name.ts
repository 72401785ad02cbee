import { decodeHTMLStrict } from 'entities/decode';
import type { Span } from '../text/span.ts';

const emoji = String.raw`\p{Extended_Pictographic}\u{1F1E6}-\u{1F1FF}\u{1F3FB}-\u{1F3FF}\u200D\uFE0F\u20E3`;
const leading = new RegExp(
  String.raw`^(?:[\s*_\x60~#>"'“”„«»‹›‘’「『【《([{\]\\:|–—-]|[${emoji}]|\d{1,3}[.)．、](?!\d)|[①-⑳]|#\d{1,3}\s|\d️?⃣)+`,
  'u',
);
const trailing = new RegExp(
  String.raw`(?:[\s*_\x60~"'“”„«»‹›‘’」』】》\])}\\:：,，、;|.。〜～–—-]|[${emoji}™®©℠¹²³]|\[\d{1,3}\])+$`,
  'u',
);
const bracket = /[(（[【]/u;
/** Most names need no change. */
const notClean = /^[^A-Za-z]|[^A-Za-z0-9&' -]| (?: |$)/;
const marks = /\*{1,3}|__|[`\\]|[\u00AD\u200B-\u200F\u2060\uFEFF]/g;
const maxLength = 80;

/** A name without markup, numbering and punctuation around it, and where it is. Null if nothing is left. */
export function cleanName(written: string): (Span & { name: string }) | null {
  if (written !== '' && !notClean.test(written) && written.length <= maxLength)
    return { start: 0, end: written.length, name: written };
  const start = leading.exec(written)?.[0].length ?? 0;
  const cut = written.slice(start).search(bracket);
  const open = cut > 0 ? written.slice(start, start + cut) : written.slice(start);
  const end = start + open.length - (trailing.exec(open)?.[0].length ?? 0);
  if (end <= start) return null;
  const name = toPlain(written.slice(start, end));
  return name === '' || Array.from(name).length > maxLength ? null : { start, end, name };
}

function toPlain(written: string): string {
  if (!/[^\w .-]/.test(written)) return written.replace(/\s+/g, ' ');
  const shown = decodeHTMLStrict(written.replace(marks, '')).replace(/[™®©℠]/g, '');
  return shown.replace(/\s+/g, ' ').trim();
}
