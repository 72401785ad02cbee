import type { PlatformAnswer } from '../platforms/platform.ts';

const maxAnswerBytes = 32 * 1_024;
/** Far beyond what platforms send; together they keep the event below what the broker takes. */
const maxSources = 100;
const maxUrlLength = 2_048;
const maxTitleLength = 500;
const maxQueries = 50;
const maxQueryLength = 500;
const maxModelLength = 200;

export type StorableAnswer = Pick<PlatformAnswer, 'sources' | 'searchQueries' | 'model'> & {
  answerText: string | null;
  answerTruncated: boolean;
};

/** Text that Postgres can hold: no NUL, no half of a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}

/** At most `maxBytes` of UTF-8, cut between characters. */
export function truncateUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // Continuation bytes start with 10: step back to the first byte of the character that does not fit.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** What of a platform's answer is kept, within bounds. A source whose address is beyond them is left out. */
export function storableAnswer(answer: PlatformAnswer): StorableAnswer {
  const whole = answer.answerText === null ? null : storable(answer.answerText);
  const text = whole === null ? null : truncateUtf8(whole, maxAnswerBytes);
  return {
    answerText: text,
    answerTruncated: answer.truncated || text !== whole,
    model: answer.model === null ? null : storable(answer.model).slice(0, maxModelLength).toWellFormed(),
    searchQueries: answer.searchQueries
      .slice(0, maxQueries)
      .map((query) => storable(query.slice(0, maxQueryLength))),
    sources: answer.sources
      .filter(({ url }) => url.length <= maxUrlLength)
      .slice(0, maxSources)
      .map((source) => ({
        ...source,
        url: storable(source.url),
        domain: storable(source.domain),
        title: source.title === null ? null : storable(source.title.slice(0, maxTitleLength)),
      })),
  };
}
