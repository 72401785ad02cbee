import { describe, expect, test } from '@jest/globals';
import { parseDataForSeo } from './ai-overviews-dataforseo.ts';
import { parseSerpApi } from './ai-overviews-serpapi.ts';
import { parseChatgpt } from './chatgpt.ts';
import { parseClaude } from './claude.ts';
import { parseGemini } from './gemini.ts';
import { parsePerplexity } from './perplexity.ts';
import type { ParsedAnswer } from './platform.ts';

const citations = [1, 2, 3, 4].map((number) => `https://s${number}.example.org/`);
const parse = (content: unknown, fields: object = {}) =>
  parsePerplexity({ choices: [{ message: { content } }], citations, ...fields });
const cited = ({ sources }: ParsedAnswer) =>
  sources.filter((source) => source.cited).map(({ url }) => Number(/s(\d)/.exec(url)?.[1]));

describe('thoughts are not the answer', () => {
  const answer = 'HubSpot is the best free CRM.[2]';
  test.each([
    ['a block before it', `<think>Salesforce is large.[1]</think> ${answer}`],
    ['lines', `<think>\nSalesforce?\n\nNo.[1]\n</think>\n\n${answer}`],
    ['the closing tag alone', `Salesforce is large.[1]</think>\n${answer}`],
    ['other letters', `<THINKING>Salesforce[1]</Thinking>${answer}`],
    ['two blocks', `<think>a[1]</think><think>b[3]</think>${answer}`],
    ['a block in a block', `<think>a<think>b[1]</think>c</think>${answer}`],
    ['a block after it', `${answer}\n<think>Salesforce[1]`],
  ])('%s', (_name, content) => {
    expect(parse(content)).toMatchObject({ answerText: answer });
    expect(cited(parse(content))).toEqual([2]);
  });

  test('a quoted tag in the answer is text', () => {
    const content = 'DeepSeek writes `<think>` and `</think>`; the tag <think> is its own.';
    expect(parse(content).answerText).toBe(content);
  });
});

describe('markers', () => {
  test.each([
    ['Acme.[1][3]', [1, 3]],
    ['Acme.[1, 3]', [1, 3]],
    ['Acme.[1,2]', [1, 2]],
    ['Acme.[1-3]', [1, 2, 3]],
    ['Acme.[2–3][1]', [2, 3, 1]],
    ['Acme.[web:1]', [1]],
    ['Acme.[web:1, web:3] [web:2]', [1, 3, 2]],
    ['Acme.[^2]', [2]],
    ['Acme.[ 4 ]', [4]],
    ['Acme in [2026] and [9].', []],
    ['Acme.[3-1]', [3]],
    ['Acme.', [1, 2, 3, 4]],
  ])('%s cites %j', (content, expected) => {
    expect(cited(parse(content))).toEqual(expected);
  });
});

describe('one invalid source does not invalidate an answer, and the others keep their numbers', () => {
  test('perplexity: citations', () => {
    const odd = ['https://s1.example.org/', 123, null, 'https://s4.example.org/'];
    expect(cited(parse('Acme.[1][4]', { citations: odd }))).toEqual([1, 4]);
    expect(cited(parse('Acme.', { citations: odd }))).toEqual([1, 4]);
  });

  test('perplexity: search results', () => {
    const search_results = [
      { url: 'https://s1.example.org/' },
      null,
      'odd',
      { url: 'https://s4.example.org/' },
    ];
    expect(cited(parse('Acme.[4]', { search_results }))).toEqual([4]);
    expect(cited(parse('Acme.[4]', { search_results: [null] }))).toEqual([4]);
  });

  test('gemini: chunks and supports', () => {
    const groundingMetadata = {
      groundingChunks: [null, 'odd', { web: { uri: 'https://s3.example.org/' } }],
      groundingSupports: [null, { groundingChunkIndices: ['x', 2] }],
    };
    const candidates = [{ content: { parts: [{ text: 'Acme.' }] }, groundingMetadata }];
    expect(cited(parseGemini({ candidates }))).toEqual([3]);
  });

  test('chatgpt and claude: annotations', () => {
    const url = 'https://s1.example.org/';
    const annotations = [null, 'odd', { type: 'url_citation', url }];
    const content = [{ type: 'output_text', text: 'Acme.', annotations }];
    expect(cited(parseChatgpt({ output: [{ type: 'message', content }] }))).toEqual([1]);
    expect(
      cited(parseClaude([{ content: [{ type: 'text', text: 'Acme.', citations: [null, 1, { url }] }] }])),
    ).toEqual([1]);
  });
});

describe.each([[{}], [{ 0: 'x' }], ['https://s1.example.org/'], [7], [true]])(
  '%j instead of a list of sources',
  (odd) => {
    const url = 'https://s4.example.org/';

    test('perplexity: citations next to search results', () => {
      const search_results = citations.map((each) => ({ url: each }));
      expect(cited(parse('Acme.[1][4]', { citations: odd, search_results }))).toEqual([1, 4]);
    });

    test('perplexity: search results next to citations', () => {
      expect(cited(parse('Acme.[1][4]', { search_results: odd }))).toEqual([1, 4]);
    });

    test('perplexity: both', () => {
      expect(parse('Acme.', { citations: odd, search_results: odd })).toMatchObject({
        answerText: 'Acme.',
        sources: [],
        searchUsed: false,
      });
    });

    test('claude: citations of one text', () => {
      const content = [
        { type: 'text', text: 'Acme', citations: odd },
        { type: 'text', text: ' leads.', citations: [{ url }] },
      ];
      const answer = parseClaude([{ content, stop_reason: 'end_turn' }]);
      expect(answer.answerText).toBe('Acme leads.');
      expect(cited(answer)).toEqual([4]);
    });

    test('chatgpt: annotations of one part', () => {
      const content = [
        { type: 'output_text', text: 'Acme', annotations: odd },
        { type: 'output_text', text: ' leads.', annotations: [{ type: 'url_citation', url }] },
      ];
      expect(cited(parseChatgpt({ output: [{ type: 'message', content }] }))).toEqual([4]);
    });

    test('gemini: chunks, supports and indices', () => {
      const groundingChunks = [{ web: { uri: url } }];
      const parseWith = (groundingMetadata: unknown) =>
        parseGemini({ candidates: [{ content: { parts: [{ text: 'Acme.' }] }, groundingMetadata }] });
      expect(parseWith({ groundingChunks: odd })).toMatchObject({ answerText: 'Acme.', sources: [] });
      expect(parseWith({ groundingChunks, groundingSupports: odd }).sources).toMatchObject([
        { url, cited: false },
      ]);
      const groundingSupports = [{ groundingChunkIndices: odd }, { groundingChunkIndices: [0] }];
      expect(cited(parseWith({ groundingChunks, groundingSupports }))).toEqual([4]);
    });

    test('ai_overviews: references', () => {
      const overview = { text_blocks: [{ snippet: 'Acme.' }], references: odd };
      const body = { search_metadata: { status: 'Success' }, ai_overview: overview };
      expect(parseSerpApi(body)).toMatchObject({ answerText: 'Acme.', sources: [] });
      const items = [{ type: 'ai_overview', references: odd, items: [{ text: 'Acme.', references: odd }] }];
      const task = { status_code: 20_000, result: [{ items }] };
      expect(parseDataForSeo({ status_code: 20_000, tasks: [task] })).toMatchObject({ answerText: 'Acme.' });
    });
  },
);

test('content as a list of parts is read', () => {
  const parts = [
    { type: 'text', text: 'Acme ' },
    { type: 'text', text: 'leads.' },
    { type: 'image_url' },
    { type: 'text', text: 'Globex.' },
  ];
  expect(parse(parts).answerText).toBe('Acme leads.\n\nGlobex.');
});
