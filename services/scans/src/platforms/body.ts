import { z } from 'zod';
import { withoutCitationMarks } from '../extraction/citation-marks.ts';
import { throwIfErrorInBody } from './failure.ts';
import { PlatformError, type ParsedAnswer } from './platform.ts';

/** Reads a body by its schema; an error that came with 200 and a shape that is not the service's are thrown. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  throwIfErrorInBody(body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new PlatformError('malformed', `the body has another shape at "${where}"`, { status: 200 });
}

/** A list in which an entry of another shape is null: one odd source does not invalidate the answer. */
export function tolerantList<T extends z.ZodType>(entry: T) {
  return z.array(entry.nullable().catch(null));
}

export const isPresent = <T>(value: T | null | undefined): value is T =>
  value !== null && value !== undefined;

/** How a platform says that an answer ended. */
type Ending = {
  /** It states why there is no text: a refusal, a filter, no overview for this search. */
  declined: boolean;
  /** It stopped before the text was whole. */
  truncated: boolean;
  /** Its own word for the end, for the error message. */
  reason?: string | null | undefined;
};

/**
 * An answer by its text. No text is `no_answer` only with a stated reason, and then nothing is cited. Without one it
 * is a fault of the platform: another try may have a text.
 */
export function toAnswer(
  text: string,
  { declined, truncated, reason }: Ending,
  rest: Omit<ParsedAnswer, 'outcome' | 'answerText' | 'truncated'>,
): ParsedAnswer {
  const answerText = withoutCitationMarks(text);
  if (answerText.trim() !== '') return { outcome: 'answered', answerText, truncated, ...rest };
  if (!declined) {
    const ended = reason ? `, ended with ${reason}` : '';
    throw new PlatformError('malformed', `no text and no stated reason${ended}`, { status: 200 });
  }
  const sources = rest.sources.map((source) => ({ ...source, cited: false }));
  return { outcome: 'no_answer', answerText: null, truncated: false, ...rest, sources };
}

/** Queries without the empty ones that occur, each once. */
export function uniqueQueries(queries: readonly (string | null | undefined)[]): string[] {
  const trimmed = queries.map((query) => query?.trim() ?? '');
  return [...new Set(trimmed.filter((query) => query !== ''))].slice(0, 50);
}
