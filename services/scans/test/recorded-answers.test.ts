import { describe, expect, test } from '@jest/globals';
import { extract } from '@bv/extraction';
import { normalizeSourceUrl, sourceDomain } from '@bv/source-url';
import { parsePageToken } from '../src/platforms/ai-overviews-serpapi.ts';
import { PlatformError, type ParsedAnswer } from '../src/platforms/platform.ts';
import { hasRecordedBodies, isRecorded, readAnswer, readBody, recordedFolder } from './recorded-bodies.ts';
import { readFacts, type Facts } from './recorded-facts.ts';

/** Bodies without a complete answer: they have separate tests below. */
const partial = new Set(['ai_overviews/serpapi-page-token-unix', 'perplexity/houston-fan-zone-no-markers']);
/** Answers that start with an announcement of the search: the lengths in the facts include it. */
const withAnnouncement = new Set([
  'claude/pause-turn-first-half',
  'claude/tech-news-two-searches',
  'claude/web-fetch-result-error',
]);
const facts = hasRecordedBodies ? readFacts(recordedFolder).filter((each) => isRecorded(each.name)) : [];
const answers = facts.filter((each) => !each.isError && !partial.has(each.name));

/** Each name is searched alone: one inside a longer name of the list would not count. */
function findNames({ names }: Facts, { answerText, sources }: ParsedAnswer): string[] {
  const find = (name: string): { name: string; start: number }[] => {
    const brand = { id: name, name, domain: 'unused.example', aliases: [], isOwn: false };
    const [found] = extract({ answerText, sources, brands: [brand] });
    return (found?.evidence ?? []).slice(0, 1).map(({ start }) => ({ name, start }));
  };
  return names
    .flatMap(find)
    .toSorted((a, b) => a.start - b.start || b.name.length - a.name.length)
    .map(({ name }) => name);
}

const distinct = (values: readonly (string | undefined)[]): (string | undefined)[] => [...new Set(values)];

function describeRecordedAnswers(): void {
  test('every recorded body has its facts', () => {
    expect(facts.length).toBeGreaterThanOrEqual(28);
    // The facts are parsed with patterns: these minima detect a pattern that no longer matches.
    expect(answers.flatMap((each) => each.names).length).toBeGreaterThanOrEqual(60);
    expect(answers.flatMap((each) => each.citedUrls).length).toBeGreaterThanOrEqual(75);
    expect(answers.flatMap((each) => each.queries).length).toBeGreaterThanOrEqual(20);
    expect(answers.filter((each) => each.model !== null).length).toBeGreaterThanOrEqual(19);
  });

  describe.each(answers)('$name', (expected) => {
    const answer = readAnswer(expected.name);

    test('text and outcome', () => {
      const length = answer.answerText === null ? null : Array.from(answer.answerText).length;
      // The lengths in the facts include source chips, which the parser removes.
      const isShorter = expected.name.includes('serpapi-inline') || withAnnouncement.has(expected.name);
      if (isShorter) expect(length).toBeLessThan(expected.length ?? 0);
      else expect(length).toBe(expected.length);
      expect(answer.outcome).toBe(expected.length === null ? 'no_answer' : 'answered');
    });

    test('names in order', () => {
      expect(findNames(expected, answer)).toEqual(expected.names);
    });

    test('cited sources in order', () => {
      const cited = answer.sources.filter((source) => source.cited).map((source) => source.url);
      expect(cited).toEqual(distinct(expected.citedUrls.map((url) => normalizeSourceUrl(url)?.url)));
    });

    test('served model and search queries', () => {
      expect(answer.model).toBe(expected.model);
      expect(answer.searchQueries).toEqual(expected.queries);
    });
  });

  test('without any marker all listed sources count as cited', () => {
    const answer = readAnswer('perplexity/houston-fan-zone-no-markers');
    expect(answer.sources.map((source) => [source.cited, source.domain])).toEqual([
      [true, 'fwc26houston.com'],
      [true, 'fwc26houston.com'],
      [true, 'houstonchronicle.com'],
      [true, 'houstonchronicle.com'],
      [true, 'youtube.com'],
      [true, 'matadornetwork.com'],
    ]);
  });

  test('retrieved sources are separate from cited ones', () => {
    const answer = readAnswer('perplexity/rust-analyzer-one-of-fifteen');
    expect(answer.sources.filter((source) => source.cited)).toHaveLength(1);
    expect(answer.sources.filter((source) => !source.cited)).toHaveLength(14);
    expect(readAnswer('claude/pause-turn-first-half').sources.every((source) => !source.cited)).toBe(true);
  });

  test('an overview that loads later has a token', () => {
    expect(parsePageToken(readBody('ai_overviews/serpapi-page-token-unix'))).toMatch(/\S{100,}/);
  });

  test('domains of the cited sources are registrable domains', () => {
    const answer = readAnswer('ai_overviews/serpapi-inline-deck-calculator');
    expect(answer.sources.map((source) => source.domain)).toContain(sourceDomain('ch.trex.com'));
  });

  test.each([
    ['chatgpt/error-429-insufficient-quota', 'quota', false, null],
    ['perplexity/error-401-invalid-key', 'unauthorised', false, null],
    ['gemini/error-429-resource-exhausted', 'rate_limited', true, 48],
    ['claude/error-400-prompt-too-long', 'rejected', false, null],
  ])('%s is %s', (name, kind, retryable, retryAfterSeconds) => {
    let error: unknown;
    try {
      readAnswer(name);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ kind, retryable, retryAfterSeconds });
  });
}

if (hasRecordedBodies) {
  describe('recorded real answers', () => {
    describeRecordedAnswers();
  });
} else {
  test('recorded real answers are not available', () => {
    process.stdout.write(
      `No recorded real answers in ${recordedFolder}: only the bodies in test/bodies are tested.\n`,
    );
    expect(hasRecordedBodies).toBe(false);
  });
}
