import type { z } from 'zod';
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

/** Text or its absence as an outcome: a platform that declines with no text has not answered. */
export function withText(text: string, rest: Omit<ParsedAnswer, 'outcome' | 'answerText'>): ParsedAnswer {
  return text.trim() === ''
    ? { outcome: 'no_answer', answerText: null, ...rest }
    : { outcome: 'answered', answerText: text, ...rest };
}

/** Queries without the empty ones that occur, each once. */
export function uniqueQueries(queries: readonly (string | null | undefined)[]): string[] {
  const trimmed = queries.map((query) => query?.trim() ?? '');
  return [...new Set(trimmed.filter((query) => query !== ''))].slice(0, 50);
}
