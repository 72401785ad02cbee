import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseDataForSeo } from './ai-overviews-dataforseo.ts';
import { parsePageToken, parseSerpApi } from './ai-overviews-serpapi.ts';
import { parseChatgpt } from './chatgpt.ts';
import { parseClaude } from './claude.ts';
import { parseGemini } from './gemini.ts';
import { parsePerplexity } from './perplexity.ts';
import { PlatformError, type ParsedAnswer } from './platform.ts';

const body = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../test/bodies/${name}.json`, import.meta.url), 'utf8'));

const urls = (answer: ParsedAnswer, cited: boolean): string[] =>
  answer.sources.filter((source) => source.cited === cited).map((source) => source.url);

function catchError(parse: () => unknown): PlatformError {
  try {
    parse();
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
  throw new Error('the parser did not throw');
}

const noAnswer = { outcome: 'no_answer', answerText: null };

describe('chatgpt', () => {
  test('joins text parts, deduplicates sources, removes tracking parameters, separates cited from retrieved', () => {
    const answer = parseChatgpt(body('chatgpt-answer'));
    expect(answer).toMatchObject({ outcome: 'answered', model: 'gpt-x-2026-02-01', searchUsed: true });
    expect(answer.answerText).toMatch(/^Acme boils fastest .*\)\. Globex is quieter\.$/);
    expect(urls(answer, true)).toEqual([
      'https://kettles.example.org/test',
      'https://www.globex.com/quiet?model=7',
    ]);
    expect(urls(answer, false)).toEqual(['https://www.acme.com/kettles', 'https://forum.example.net/t/9']);
    expect(answer.sources.map(({ position, domain, title }) => [position, domain, title])).toEqual([
      [1, 'example.org', 'Kettle test'],
      [2, 'globex.com', null],
      [3, 'acme.com', null],
      [4, 'example.net', null],
    ]);
    // open_page and find_in_page have no query.
    expect(answer.searchQueries).toEqual(['best kettles', 'kettle test 2026']);
  });

  test('a failure inside a 200 is thrown', () => {
    expect(catchError(() => parseChatgpt(body('chatgpt-failed')))).toMatchObject({
      kind: 'rate_limited',
      status: 200,
      retryable: true,
    });
    expect(catchError(() => parseChatgpt(body('chatgpt-search-failed')))).toMatchObject({
      kind: 'unavailable',
    });
    expect(catchError(() => parseChatgpt(body('chatgpt-cut-off')))).toMatchObject({ kind: 'malformed' });
  });

  test('a refusal is no answer', () => {
    expect(parseChatgpt(body('chatgpt-refusal'))).toMatchObject({
      ...noAnswer,
      searchUsed: false,
      sources: [],
    });
  });
});

describe('perplexity', () => {
  test('with markers only the marked sources are cited, in the order of the text', () => {
    const answer = parsePerplexity(body('perplexity-marked'));
    expect(urls(answer, true)).toEqual(['https://c.example.org/3', 'https://a.example.org/1']);
    expect(urls(answer, false)).toEqual(['https://b.example.org/2']);
    expect(answer.sources[0]).toMatchObject({ title: 'C', domain: 'example.org' });
  });

  test('without any marker every listed source is cited, from `citations` when `search_results` is absent', () => {
    const answer = parsePerplexity(body('perplexity-unmarked'));
    expect(urls(answer, true)).toHaveLength(3);
    expect(urls(answer, false)).toEqual([]);
  });

  test('markers above the length of the list cite nothing, and the list is not cited', () => {
    const parse = (content: string) =>
      parsePerplexity({
        choices: [{ message: { content } }],
        citations: ['https://a.example.org/1', 'https://b.example.org/2'],
      });
    expect(urls(parse('Acme boils fast.[7]'), true)).toEqual([]);
    expect(urls(parse('Acme boils fast.[7]'), false)).toHaveLength(2);
    expect(urls(parse('Acme boils fast.[7][2]'), true)).toEqual(['https://b.example.org/2']);
    expect(urls(parse('Acme boils a[0] fast.'), true)).toHaveLength(2);
  });

  test('an error inside a 200 is thrown by its code', () => {
    expect(catchError(() => parsePerplexity(body('perplexity-hidden-error')))).toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('gemini', () => {
  const targets = new Map([
    [
      'https://vertexaisearch.cloud.google.com/grounding-api-redirect/CCC',
      'https://found.example.net/page?utm_source=g',
    ],
  ]);

  test('omits thoughts and tools, replaces redirects, cites only supported chunks', () => {
    const answer = parseGemini(body('gemini-answer'), targets);
    expect(answer).toMatchObject({
      outcome: 'answered',
      answerText: 'Acme kocht schnell –\n\nGlobex ist leiser.',
      model: 'gemini-x-001',
      searchUsed: true,
      searchQueries: ['wasserkocher test'],
    });
    expect(urls(answer, true)).toEqual([
      'https://acme.com/',
      'https://test.example.org/',
      'https://found.example.net/page',
      'https://www.google.com/search?q=kettle%20in%20Berlin',
    ]);
    expect(urls(answer, false)).toEqual(['https://maps.google.com/?cid=1', 'https://globex.com/']);
  });

  test('an unresolved redirect is omitted, never listed under the proxy', () => {
    const answer = parseGemini(body('gemini-answer'));
    expect(answer.sources.some((source) => source.url.includes('vertexaisearch'))).toBe(false);
    expect(urls(answer, true)).toHaveLength(3);
    expect(answer.sourcesUnresolved).toBe(1);
  });

  test('a declined prompt is no answer, an incomplete response is a failure', () => {
    expect(parseGemini(body('gemini-blocked'))).toMatchObject(noAnswer);
    expect(parseGemini(body('gemini-prompt-blocked'))).toMatchObject(noAnswer);
    expect(catchError(() => parseGemini(body('gemini-broken')))).toMatchObject({
      kind: 'malformed',
      retryable: true,
    });
  });

  test('a daily quota is not retried, the retry delay is read from the body', () => {
    expect(catchError(() => parseGemini(body('gemini-hidden-error')))).toMatchObject({
      kind: 'quota',
      retryable: false,
      retryAfterSeconds: 13,
    });
  });
});

describe('claude', () => {
  test('the parts of a paused turn are one answer', () => {
    const answer = parseClaude([body('claude-paused'), body('claude-resumed')]);
    expect(answer).toMatchObject({
      outcome: 'answered',
      answerText: 'Acme and Globex are good.',
      model: 'claude-x-20260101',
      searchUsed: true,
      searchQueries: ['kettles', 'quiet kettles'],
    });
    expect(urls(answer, true)).toEqual(['https://c.example.org/3', 'https://a.example.org/1']);
    expect(urls(answer, false)).toEqual(['https://b.example.org/2']);
  });

  test('a failed search in a 200 response is thrown, unless another search succeeded', () => {
    expect(catchError(() => parseClaude([body('claude-search-error')]))).toMatchObject({
      kind: 'rate_limited',
      status: 200,
      retryable: true,
    });
    expect(parseClaude([body('claude-one-search-error')])).toMatchObject({
      outcome: 'answered',
      searchUsed: true,
    });
    expect(catchError(() => parseClaude([body('claude-hidden-error')]))).toMatchObject({
      kind: 'unavailable',
    });
  });
});

describe('ai_overviews through serpapi', () => {
  test('removes source chips from the text, reads nested blocks, cites references', () => {
    const answer = parseSerpApi(body('serpapi-overview'));
    expect(answer.answerText?.split('\n')).toEqual([
      'Many kettles boil within three minutes.',
      'Choices',
      'Globex: quiet and cheap.',
      'Initech: simple, see the review.',
      'Boils 1 litre.',
      'Name | Price',
      'Acme | 30',
      'More',
      'Prices fell by 5 +10 points.',
    ]);
    expect(urls(answer, true)).toEqual(['https://www.acme.com/kettles', 'https://www.youtube.com/watch?v=1']);
    expect(answer).toMatchObject({ model: null, searchUsed: true, searchQueries: [] });
  });

  test('a link through Google is the page that it holds, the site of its icon or name, or unresolved', () => {
    const answer = parseSerpApi(body('serpapi-redirects'));
    expect(urls(answer, true)).toEqual([
      'https://kime.ai/',
      'https://business.com/',
      'https://medium.com/tools?id=1',
    ]);
    expect(answer.sourcesUnresolved).toBe(1);
  });

  test.each(['serpapi-none', 'serpapi-not-available', 'serpapi-no-results'])('%s is no answer', (name) => {
    expect(parseSerpApi(body(name))).toMatchObject({ ...noAnswer, sources: [] });
  });

  test.each(['serpapi-error', 'serpapi-try-again'])('%s is a retryable failure', (name) => {
    expect(catchError(() => parseSerpApi(body(name)))).toMatchObject({
      kind: 'unavailable',
      retryable: true,
    });
  });

  test('a token requires a second call', () => {
    expect(parsePageToken(body('serpapi-token'))).toBe('abc');
    expect(parsePageToken(body('serpapi-overview'))).toBeNull();
    expect(catchError(() => parseSerpApi(body('serpapi-token')))).toMatchObject({ kind: 'malformed' });
  });
});

describe('ai_overviews through dataforseo', () => {
  test('markdown is the text, references are cited', () => {
    const answer = parseDataForSeo(body('dataforseo-overview'));
    expect(answer.answerText).toMatch(/^Acme boils fast\./);
    expect(urls(answer, true)).toEqual(['https://www.acme.com/kettles', 'https://www.globex.com/']);
  });

  test('a link through Google is the site of its domain, or unresolved and counted once', () => {
    const answer = parseDataForSeo(body('dataforseo-redirects'));
    expect(urls(answer, true)).toEqual(['https://kime.ai/']);
    expect(answer.sourcesUnresolved).toBe(1);
  });

  test('without markdown the plain text loses its chips', () => {
    expect(parseDataForSeo(body('dataforseo-text-only')).answerText).toBe('Kettles\nThey boil fast.');
  });

  test.each(['dataforseo-not-delivered', 'dataforseo-no-results'])('%s is no answer', (name) => {
    expect(parseDataForSeo(body(name))).toMatchObject({ ...noAnswer, sources: [] });
  });

  test('its own codes determine the kind of error', () => {
    expect(catchError(() => parseDataForSeo(body('dataforseo-task-error')))).toMatchObject({
      kind: 'unavailable',
    });
    expect(catchError(() => parseDataForSeo(body('dataforseo-no-funds')))).toMatchObject({
      kind: 'quota',
      retryable: false,
    });
  });
});

test('parsing megabytes of chips and sources takes no minutes', () => {
  const many = Array.from({ length: 50_000 }, (_, index) => index);
  const snippet = 'Acme boils fast. '.repeat(60_000);
  const references = many.map((index) => ({ link: `https://x${index}.com/`, source: `Source ${index}` }));
  const ai_overview = {
    text_blocks: [...many.map(() => ({ snippet: 'Fast. Acme +1' })), { snippet }],
    references,
  };
  const elements = [{ text: `${snippet} +1`, references }, ...many.map(() => ({ text: 'Fast. Acme +1' }))];
  const result = [{ items: [{ type: 'ai_overview', items: elements }] }];
  // Without limits, each of these takes about 15 minutes, well above the timeout of a test.
  expect(parseSerpApi({ search_metadata: { status: 'Success' }, ai_overview }).outcome).toBe('answered');
  const overview = parseDataForSeo({ status_code: 20_000, tasks: [{ status_code: 20_000, result }] });
  expect(overview.answerText).toContain('Acme boils fast.');
});

test.each([
  null,
  'text',
  [],
  {},
  { output: 1 },
  { choices: [] },
  { candidates: 'x' },
  { content: {} },
  { tasks: [] },
])('a body of another shape (%j) is malformed for every platform', (odd) => {
  const parsers = [parseChatgpt, parsePerplexity, parseGemini, parseSerpApi, parseDataForSeo];
  for (const parse of [...parsers, (raw: unknown) => parseClaude([raw])]) {
    expect(catchError(() => parse(odd))).toMatchObject({ kind: 'malformed', retryable: true });
  }
});
