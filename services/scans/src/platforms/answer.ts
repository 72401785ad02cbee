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
  return { outcome: 'no_answer', answerText: null, truncated: false, ...rest, sources, sourcesUnresolved: 0 };
}

/** Removes empty and duplicate queries; at most 50. */
export function uniqueQueries(queries: readonly (string | null | undefined)[]): string[] {
  const trimmed = queries.map((query) => query?.trim() ?? '');
  return [...new Set(trimmed.filter((query) => query !== ''))].slice(0, 50);
}

/**
 * Joins the text of an answer's blocks, in order; null is a block of another kind. Adjacent texts are joined without a
 * separator, because platforms split sentences at citations. Text after another block starts a new paragraph. Without
 * the blank line, the last word of one block and the first of the next would be joined.
 */
export function joinBlocks(blocks: readonly (string | null)[]): string {
  let joined = '';
  let isSeparated = false;
  for (const block of blocks) {
    if (block === null) isSeparated = true;
    else if (block.trim() !== '' && isSeparated && joined.trim() !== '') {
      joined = `${joined.trimEnd()}\n\n${block.trimStart()}`;
      isSeparated = false;
    } else if (block.trim() !== '' || !isSeparated) {
      joined += block;
      isSeparated = false;
    }
  }
  return joined;
}

/** Markup that is not shown: the word starts after it. A footnote ("[1]") is not a word. */
const wordStart = /^(?:<[a-z]{1,10}>|[*_~`]|\[(?!\^?\d{1,3}\])){0,8}[\p{L}\p{N}]/iu;
/** Marks that open or connect ("**", "(", "T-", "L'"): the next text continues the word. */
const openEnd = /(?:(?:^|\s)[*_~`]{1,4}|[-‐–/([{<"“„«#@$€£&+=]|(?<!\p{L})\p{L}{1,2}['’])$/u;

/** Whether joining two texts makes one word of the last and the first word ("Notion" and "**Asana**"). */
export function wordsMeet(before: string, after: string): boolean {
  return /\S$/.test(before) && !openEnd.test(before.slice(-5)) && wordStart.test(after);
}

export type AnswerBlock = { kind: 'text' | 'tool' | 'other'; hasCitations?: boolean };

/**
 * For each block, whether its text belongs to the answer. Tool blocks divide the texts into runs. A run before a tool
 * announces the next search ("I'll look for alternatives to Acme"), unless it has citations: announcements never cite.
 * Where only such runs exist, the last one is the answer, but not if the answer was cut off.
 */
export function selectAnswer(blocks: readonly AnswerBlock[], { isCut = false } = {}): boolean[] {
  let tools = 0;
  const runs = blocks.map(({ kind }) => (kind === 'tool' ? (tools += 1) : tools));
  const answerRuns = new Set(runs.filter((_run, index) => blocks[index]?.hasCitations));
  const lastTextRun = runs[blocks.findLastIndex(({ kind }) => kind === 'text')];
  const isLast = lastTextRun === tools;
  if (lastTextRun !== undefined && (isLast || (answerRuns.size === 0 && !isCut))) answerRuns.add(lastTextRun);
  return runs.map((run) => answerRuns.has(run));
}
