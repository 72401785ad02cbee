import { z } from 'zod';
import { withoutCitationMarks } from '@bv/extraction';
import { throwIfErrorInBody } from './failure.ts';
import { PlatformError, type ParsedAnswer } from './platform.ts';

/** Parses a body by its schema. Throws for an error in a 200 response, and `malformed` for another shape. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  throwIfErrorInBody(body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new PlatformError('malformed', `the body has another shape at "${where}"`, { status: 200 });
}

/** A list in which an entry of another shape becomes null, so that one invalid source does not invalidate the answer. */
export function tolerantList<T extends z.ZodType>(entry: T) {
  return z.array(entry.nullable().catch(null));
}

export const isPresent = <T>(value: T | null | undefined): value is T =>
  value !== null && value !== undefined;

/** How an answer ended, from the platform's finish reason. */
type Finish = {
  /** The platform states why there is no text: a refusal, a filter, no overview for this search. */
  declined: boolean;
  /** The platform stopped before the text was complete. */
  truncated: boolean;
  /** The platform's own finish reason, for the error message. */
  reason?: string | null | undefined;
};

/**
 * Builds an answer from its text. An empty text is `no_answer` only with a stated reason, and then nothing is cited.
 * Otherwise throws the retryable error `malformed`, because another attempt may return a text.
 */
export function toAnswer(
  text: string,
  { declined, truncated, reason }: Finish,
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

/** Removes empty and duplicate queries; at most 50. */
export function uniqueQueries(queries: readonly (string | null | undefined)[]): string[] {
  const trimmed = queries.map((query) => query?.trim() ?? '');
  return [...new Set(trimmed.filter((query) => query !== ''))].slice(0, 50);
}
