import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { extract } from '@bv/extraction';
import { normalizeSourceUrl, sourceDomain } from '@bv/source-url';
import { parseDataForSeo } from '../src/platforms/ai-overviews-dataforseo.ts';
import { parsePageToken, parseSerpApi } from '../src/platforms/ai-overviews-serpapi.ts';
import { parseChatgpt } from '../src/platforms/chatgpt.ts';
import { parseClaude } from '../src/platforms/claude.ts';
import { parseGemini } from '../src/platforms/gemini.ts';
import { parsePerplexity } from '../src/platforms/perplexity.ts';
import { PlatformError, type ParsedAnswer } from '../src/platforms/platform.ts';
import { readFacts, type Facts } from './recorded-facts.ts';

// Answers of the real services, recorded by other projects. They are not part of this repository.
const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));
const folder = path.resolve(repositoryRoot, '../shared/fixtures/platforms');
const isPresent = existsSync(path.join(folder, 'FACTS.md'));

/** Bodies without a complete answer: they have separate tests below. */
const partial = new Set(['ai_overviews/serpapi-page-token-unix', 'perplexity/houston-fan-zone-no-markers']);
/** Answers that start with an announcement of the search: the lengths in the facts include it. */
const withAnnouncement = new Set([
  'claude/pause-turn-first-half',
  'claude/tech-news-two-searches',
  'claude/web-fetch-result-error',
]);
const facts = isPresent ? readFacts(folder).filter((each) => existsSync(toPath(each.name))) : [];
const answers = facts.filter((each) => !each.isError && !partial.has(each.name));

function toPath(name: string): string {
  return path.join(folder, `${name}.json`);
}

function readBody(name: string): unknown {
  return JSON.parse(readFileSync(toPath(name), 'utf8'));
}

function parse(name: string): ParsedAnswer {
  const body = readBody(name);
  if (name.startsWith('chatgpt/')) return parseChatgpt(body);
  if (name.startsWith('perplexity/')) return parsePerplexity(body);
  if (name.startsWith('gemini/')) return parseGemini(body);
  if (name.startsWith('claude/')) return parseClaude([body]);
  return name.includes('dataforseo') ? parseDataForSeo(body) : parseSerpApi(body);
}

function toBrand(name: string, index: number) {
  return { id: name, name, domain: `unused-${index}.example`, aliases: [], isOwn: false };
}

function findNames({ names }: Facts, answer: ParsedAnswer): string[] {
  return extract({ answerText: answer.answerText, sources: answer.sources, brands: names.map(toBrand) })
    .filter((result) => result.mentioned)
    .toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
    .map((result) => result.brandId);
}

type Tone = 'positive' | 'neutral' | 'negative';

/** By name of the answer: its brands, and the tone towards each as a reader labelled it. */
function readTones(): Record<string, Record<string, Tone>> {
  const file = new URL('recorded-tones.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, Tone>>;
}

function rateTones({ answerText, sources }: ParsedAnswer, labels: Record<string, Tone>) {
  const brands = Object.keys(labels).map(toBrand);
  return extract({ answerText, sources, brands }).flatMap(({ brandId, sentiment }) => {
    if (sentiment === null) return [];
    const tone = sentiment >= 55 ? 'positive' : sentiment <= 45 ? 'negative' : 'neutral';
    return [{ brandId, label: labels[brandId], tone }];
  });
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
    const answer = parse(expected.name);

    test('text and outcome', () => {
      const length = answer.answerText === null ? null : Array.from(answer.answerText).length;
      // The lengths in the facts include source chips, which the parser removes.
      const isShorter = expected.name.includes('serpapi-inline') || withAnnouncement.has(expected.name);
      const removed = (expected.length ?? 0) - (length ?? 0);
      expect(Math.sign(removed)).toBe(isShorter ? 1 : 0);
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

  test('the tone of at least 85 % of the mentions is that of a reader, and none is reversed', () => {
    const rated = Object.entries(readTones()).flatMap(([name, labels]) => rateTones(parse(name), labels));
    const wrong = rated.filter(({ label, tone }) => label !== tone);
    expect(rated.length).toBeGreaterThanOrEqual(75);
    expect(wrong.length / rated.length).toBeLessThanOrEqual(0.15);
    expect(wrong.filter(({ label, tone }) => label !== 'neutral' && tone !== 'neutral')).toEqual([]);
  });

  test('without any marker all listed sources count as cited', () => {
    const answer = parse('perplexity/houston-fan-zone-no-markers');
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
    const answer = parse('perplexity/rust-analyzer-one-of-fifteen');
    expect(answer.sources.filter((source) => source.cited)).toHaveLength(1);
    expect(answer.sources.filter((source) => !source.cited)).toHaveLength(14);
    expect(parse('claude/pause-turn-first-half').sources.every((source) => !source.cited)).toBe(true);
  });

  test('an overview that loads later has a token', () => {
    expect(parsePageToken(readBody('ai_overviews/serpapi-page-token-unix'))).toMatch(/\S{100,}/);
  });

  test('domains of the cited sources are registrable domains', () => {
    const answer = parse('ai_overviews/serpapi-inline-deck-calculator');
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
      parse(name);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject({ kind, retryable, retryAfterSeconds });
  });
}

if (isPresent) {
  describe('recorded real answers', () => {
    describeRecordedAnswers();
  });
} else {
  test('recorded real answers are not available', () => {
    process.stdout.write(
      `No recorded real answers in ${folder}: only the bodies in test/bodies are tested.\n`,
    );
    expect(isPresent).toBe(false);
  });
}
