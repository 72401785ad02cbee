import { toWrittenForm } from '../text/fold.ts';
import type { Span } from '../text/span.ts';
import { toLetters } from './legal-forms.ts';
import type { Pattern } from './tracked-brand.ts';

const maxLineLength = 200;
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;

/** Whether the letters of an occurrence are upper and lower case as the pattern requires. */
export function isWritten(text: string, span: Span, pattern: Pattern): boolean {
  const { casing, caseSensitive, written } = pattern;
  if (casing === 'any' && !caseSensitive) return true;
  const form = toWrittenForm(text.slice(span.start, span.end));
  const isSame = written.has(form);
  if (!isSame && (caseSensitive || casing === 'exact')) return false;
  if (casing === 'capital') return isSame || hasCapital(form);
  if (casing === 'any' || casing === 'exact') return true;
  if (!form.split(' ').every(hasCapital) || isInTitle(text, span)) return false;
  return casing === 'capitals' || standsAlone(text, span, pattern);
}

const wordBefore = /([\p{L}\p{N}][\p{L}\p{N}\p{M}'’]{0,40})[\s-]$/u;
/** A capital as in a name, not only as at the start of a sentence ("The", "Der"). */
const nameWord = /^\p{Lu}(?:\p{L}{3}|[\p{Lu}\p{N}])/u;

/** Whether no other name precedes: "Adobe Marketing Cloud" is no product of Salesforce, "Samsung's Galaxy Ring" is one. */
function standsAlone(text: string, { start }: Span, { domainLabel }: Pattern): boolean {
  const [, before = ''] = wordBefore.exec(text.slice(Math.max(0, start - 42), start)) ?? [];
  return !nameWord.test(before) || toLetters(before.replace(/['’]s?$/u, '')) === toLetters(domainLabel ?? '');
}

/** Whether a word starts with a capital, a digit or a letter without case. */
function hasCapital(written: string): boolean {
  return !/^\p{Ll}/u.test(written);
}

/** Whether all words of the line have capitals: "How We Work" does not name WeWork. */
function isInTitle(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - maxLineLength), start);
  const after = text.slice(end, end + maxLineLength);
  const line = `${before.slice(before.lastIndexOf('\n') + 1)} ${after.split('\n', 1)[0] ?? ''}`;
  const words = line.match(word) ?? [];
  return words.some((each) => /^\p{L}/u.test(each)) && words.every(hasCapital);
}
