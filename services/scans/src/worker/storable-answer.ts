import type { PlatformAnswer } from '../platforms/platform.ts';

const maxAnswerBytes = 32 * 1_024;
/** Well above what platforms send. Together the limits keep the event below the broker's maximum. */
const maxSources = 100;
const maxUrlLength = 2_048;
const maxTitleLength = 500;
const maxQueries = 50;
const maxQueryLength = 500;
const maxModelLength = 200;
/** As JSON, where a control character has six bytes. */
const maxSourcesBytes = 350_000;
const maxQueriesBytes = 75_000;

export type StorableAnswer = Pick<PlatformAnswer, 'sources' | 'searchQueries' | 'model'> & {
  answerText: string | null;
  answerTruncated: boolean;
};

/** Text that Postgres accepts: without NUL and lone surrogates. */
function toStorableText(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/** The longest prefix of whole characters within `maxBytes` of UTF-8. */
export function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // Continuation bytes start with the bits 10. Move to the first byte of the character that does not fit.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** The first values that have at most `maxBytes` together, as JSON. */
function takeBytes<T>(values: readonly T[], maxBytes: number): T[] {
  let bytes = 0;
  const end = values.findIndex((value) => (bytes += Buffer.byteLength(JSON.stringify(value))) > maxBytes);
  return end === -1 ? [...values] : values.slice(0, end);
}

/** Limits a platform's answer to what is stored. A source with a longer URL than the limit is omitted. */
export function toStorableAnswer(answer: PlatformAnswer): StorableAnswer {
  const fullText = answer.answerText === null ? null : toStorableText(answer.answerText);
  const text = fullText === null ? null : truncateUtf8(fullText, maxAnswerBytes);
  return {
    answerText: text,
    answerTruncated: answer.truncated || text !== fullText,
    model:
      answer.model === null ? null : toStorableText(answer.model).slice(0, maxModelLength).toWellFormed(),
    searchQueries: takeBytes(
      answer.searchQueries
        .slice(0, maxQueries)
        .map((query) => toStorableText(query.slice(0, maxQueryLength))),
      maxQueriesBytes,
    ),
    sources: takeBytes(
      answer.sources
        .filter(({ url }) => url.length <= maxUrlLength)
        .slice(0, maxSources)
        .map((source) => ({
          ...source,
          url: toStorableText(source.url),
          domain: toStorableText(source.domain),
          title: source.title === null ? null : toStorableText(source.title.slice(0, maxTitleLength)),
        })),
      maxSourcesBytes,
    ),
  };
}
