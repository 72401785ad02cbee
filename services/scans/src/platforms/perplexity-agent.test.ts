import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parsePerplexityAgent } from './perplexity-agent.ts';
import { PlatformError, type ParsedAnswer } from './platform.ts';

const answerBody: unknown = JSON.parse(
  readFileSync(new URL('../../test/bodies/perplexity_agent-answer.json', import.meta.url), 'utf8'),
);

const message = (...texts: string[]) => ({
  type: 'message',
  status: 'completed',
  content: texts.map((text) => ({ type: 'output_text', text, annotations: [] })),
});
const result = (id: unknown, number = Number(id)) => ({ id, url: `https://s${number}.example.org/` });
const search = (...results: unknown[]) => ({ type: 'search_results', queries: ['q'], results });
const parse = (output: unknown, fields: object = {}): ParsedAnswer =>
  parsePerplexityAgent({ model: 'perplexity/sonar', status: 'completed', error: null, output, ...fields });

const numbers = ({ sources }: ParsedAnswer, isCited: boolean) =>
  sources.filter(({ cited }) => cited === isCited).map(({ url }) => Number(/s(\d+)\./.exec(url)?.[1]));

test('reads text, sources, queries and model; the announcement of a search is not the answer', () => {
  const answer = parsePerplexityAgent(answerBody);
  expect(answer).toMatchObject({
    outcome: 'answered',
    answerText: 'Acme boils fastest.[4][web:1] Globex is quieter.[4]',
    truncated: false,
    model: 'perplexity/sonar',
    searchUsed: true,
    searchQueries: ['best kettles 2026', 'quiet kettles'],
  });
  expect(answer.sources.map(({ position, url, title, cited }) => [position, url, title, cited])).toEqual([
    [1, 'https://www.globex.com/quiet', 'Quiet kettles', true],
    [2, 'https://kettles.example.org/test', 'Kettle test', true],
    [3, 'https://www.acme.com/kettles', 'Kettles', false],
    [4, 'https://forum.example.net/t/9', 'Thread 9', false],
  ]);
});

describe('the ids of the results are the numbers of the markers', () => {
  test.each([
    ['in another order', [search(result(3), result(1), result(2))], 'Acme.[1][3]', [1, 3], [2]],
    ['of two searches', [search(result(1)), search(result(2))], 'Acme.[2]', [2], [1]],
    ['the first search keeps a number', [search(result(1)), search(result(1, 9))], 'Acme.[1]', [1], [9]],
    ['without ids: the position', [search(result(null, 1), result('x', 2))], 'Acme.[2]', [2], [1]],
    ['with an invalid entry', [search(null, 'x', result(2))], 'Acme.[2]', [2], []],
    ['without ids, with an invalid entry', [search(7, result(null, 2))], 'Acme.[2]', [2], []],
    ['a number without a result', [search(result(1))], 'Acme.[7]', [], [1]],
    ['a range', [search(result(1), result(2), result(3))], 'Acme.[web:1-2]', [1, 2], [3]],
    ['without markers all are cited', [search(result(1), result(2))], 'Acme.', [1, 2], []],
  ])('%s', (_name, searches, text, cited, retrieved) => {
    const answer = parse([...searches, message(text)]);
    expect(numbers(answer, true)).toEqual(cited);
    expect(numbers(answer, false)).toEqual(retrieved);
  });
});

describe('texts', () => {
  test('without a search there are no sources, and searchUsed says so', () => {
    expect(parse([message('Acme.')])).toMatchObject({ answerText: 'Acme.', sources: [], searchUsed: false });
  });

  test('a search without results is a search', () => {
    expect(parse([search(), message('Acme.')])).toMatchObject({ sources: [], searchUsed: true });
    const odd = { type: 'search_results', queries: 'q', results: 'none' };
    expect(parse([odd, message('Acme.')])).toMatchObject({
      sources: [],
      searchQueries: [],
      searchUsed: true,
    });
  });

  test('parts are one text, and thoughts are removed', () => {
    const parts = message('<think>Globex?[2]</think>', 'Acme ', 'leads.[1]');
    const answer = parse([search(result(1), result(2)), parts]);
    expect(answer.answerText).toBe('Acme leads.[1]');
    expect(numbers(answer, true)).toEqual([1]);
  });

  test('a cited text before a search belongs to the answer', () => {
    const output = [search(result(1)), message('Acme.[1]'), search(result(2)), message('Globex.[2]')];
    expect(parse(output).answerText).toBe('Acme.[1]\n\nGlobex.[2]');
  });

  test('items of other kinds are ignored', () => {
    const fetched = { type: 'fetch_url_results', contents: [{ url: 'https://a.example.org/', title: 'A' }] };
    expect(parse([fetched, { type: 'unknown' }, message('Acme.')]).answerText).toBe('Acme.');
  });
});

describe('an answer that is not complete', () => {
  const incomplete = (reason: string) => ({ status: 'incomplete', incomplete_details: { reason } });

  test('a text that was cut off is truncated', () => {
    const output = [search(result(1)), message('Acme is')];
    expect(parse(output, incomplete('max_output_tokens'))).toMatchObject({
      outcome: 'answered',
      truncated: true,
    });
    expect(parse([{ ...message('Acme is'), status: 'incomplete' }]).truncated).toBe(true);
  });

  test('an announcement before the end is not an answer', () => {
    const output = [message('I will search.'), search(result(1))];
    expect(() => parse(output, incomplete('max_output_tokens'))).toThrow(
      expect.objectContaining({ kind: 'malformed', retryable: true }),
    );
  });

  test.each([
    ['a filter', [search(result(1)), message('')], incomplete('content_filter')],
    ['a refusal', [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }], {}],
  ])('%s is no answer, and nothing is cited', (_name, output, fields) => {
    const answer = parse(output, fields);
    expect(answer).toMatchObject({ outcome: 'no_answer', answerText: null, truncated: false });
    expect(numbers(answer, true)).toEqual([]);
  });
});

describe('failures', () => {
  test.each([
    ['a failed response', { status: 'failed', output: [message('Acme.')] }, 'unavailable'],
    ['a cancelled response', { status: 'cancelled', output: [] }, 'unavailable'],
    [
      'an error in a 200 response',
      { status: 'failed', output: [], error: { code: 'rate_limit_exceeded', message: 'Slow down.' } },
      'rate_limited',
    ],
    [
      'an unknown model in a 200 response',
      {
        status: 'failed',
        output: [],
        error: { code: 400, type: 'invalid_model', message: 'Unknown model.' },
      },
      'rejected',
    ],
    ['no text and no reason', { status: 'completed', output: [search(result(1))] }, 'malformed'],
    ['a message without content', { status: 'completed', output: [{ type: 'message' }] }, 'malformed'],
    ['no output', { status: 'completed' }, 'malformed'],
    ['an output of another shape', { status: 'completed', output: [7] }, 'malformed'],
    ['chat completions', { choices: [{ message: { content: 'Acme.' } }] }, 'malformed'],
  ])('%s', (_name, body, kind) => {
    expect(() => parsePerplexityAgent(body)).toThrow(PlatformError);
    expect(() => parsePerplexityAgent(body)).toThrow(expect.objectContaining({ kind, status: 200 }));
  });
});
