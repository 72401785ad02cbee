import type { Pattern } from './brand-patterns.ts';
import { toWrittenForm } from './fold.ts';
import type { Span } from './word-boundary.ts';

/** Whether the letters of an occurrence are upper and lower case as the pattern requires. */
export function isWritten(text: string, { start, end }: Span, { caseSensitive, written }: Pattern): boolean {
  return !caseSensitive || written.has(toWrittenForm(text.slice(start, end)));
}
