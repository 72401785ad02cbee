import { describe, expect, test } from '@jest/globals';
import { parseDataForSeo } from './ai-overviews-dataforseo.ts';
import { parseSerpApi } from './ai-overviews-serpapi.ts';
import { parseChatgpt } from './chatgpt.ts';
import { parseClaude } from './claude.ts';
import { parseGemini } from './gemini.ts';
import { parsePerplexity } from './perplexity.ts';
import { type ParsedAnswer, PlatformError } from './platform.ts';

const citations = ['https://a.example.org/1', 'https://b.example.org/2'];
const annotated = {
  type: 'output_text',
  text: ' ',
  annotations: [{ type: 'url_citation', url: 'https://a.example.org/1' }],
};
const chatgpt =
  (content: unknown[], fields: object = {}) =>
  () =>
    parseChatgpt({ status: 'completed', output: [{ type: 'message', content }], ...fields });
const claude =
  (content: unknown[], stop_reason: string | null = 'end_turn') =>
  () =>
    parseClaude([{ content, stop_reason }]);
const gemini =
  (candidate: unknown, fields: object = {}) =>
  () =>
    parseGemini({ candidates: [candidate], ...fields });
const perplexity =
  (message: unknown, finish_reason: string | null = 'stop') =>
  () =>
    parsePerplexity({ choices: [{ message, finish_reason }], citations });
const serpApi = (fields: object) => () => parseSerpApi({ search_metadata: { status: 'Success' }, ...fields });
const dataForSeo = (task: object) => () =>
  parseDataForSeo({ status_code: 20_000, tasks: [{ status_code: 20_000, ...task }] });

type Case = [name: string, parse: () => ParsedAnswer];

describe('no text without a stated reason is a retryable failure', () => {
  test.each<Case>([
    ['chatgpt: an empty text', chatgpt([{ type: 'output_text', text: '' }])],
    ['chatgpt: an empty text with a source', chatgpt([annotated])],
    ['chatgpt: no message', () => parseChatgpt({ status: 'completed', output: [] })],
    [
      'chatgpt: cut off before any text',
      chatgpt([], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
    ],
    ['chatgpt: marks alone', chatgpt([{ type: 'output_text', text: '\uE200cite\uE202turn0search0\uE201' }])],
    ['gemini: STOP without parts', gemini({ content: { role: 'model' }, finishReason: 'STOP' })],
    ['gemini: no reason', gemini({ content: { role: 'model' } })],
    [
      'gemini: thoughts alone',
      gemini({ content: { parts: [{ text: 'Hm.', thought: true }] }, finishReason: 'STOP' }),
    ],
    ['gemini: MAX_TOKENS', gemini({ content: {}, finishReason: 'MAX_TOKENS' })],
    ['gemini: OTHER', gemini({ finishReason: 'OTHER' })],
    ['gemini: MALFORMED_FUNCTION_CALL', gemini({ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' })],
    ['gemini: UNEXPECTED_TOOL_CALL', gemini({ content: {}, finishReason: 'UNEXPECTED_TOOL_CALL' })],
    ['gemini: feedback without a reason', () => parseGemini({ promptFeedback: {} })],
    ['claude: nothing', claude([])],
    ['claude: nothing, no reason', claude([], null)],
    ['claude: a search and no text', claude([{ type: 'web_search_tool_result', content: [] }])],
    ['claude: the context is full', claude([], 'model_context_window_exceeded')],
    ['claude: max_tokens', claude([{ type: 'thinking' }], 'max_tokens')],
    ['perplexity: empty content with sources', perplexity({ content: '' })],
    ['perplexity: no content', perplexity({ content: null }, null)],
    ['perplexity: cut off in its thoughts', perplexity({ content: '<think>Let me see' }, 'length')],
    ['perplexity: thoughts alone', perplexity({ content: '<think>Let me see</think>\n' })],
    [
      'serpapi: an overview without text',
      serpApi({ ai_overview: { text_blocks: [], references: [{ link: citations[0] }] } }),
    ],
    ['serpapi: an empty overview', serpApi({ ai_overview: {} })],
    [
      'dataforseo: an overview without text',
      dataForSeo({ result: [{ items: [{ type: 'ai_overview', markdown: null, items: null }] }] }),
    ],
    ['dataforseo: no page', dataForSeo({ result: null })],
  ])('%s', (_name, parse) => {
    expect(parse).toThrow(PlatformError);
    expect(parse).toThrow(expect.objectContaining({ kind: 'malformed', retryable: true }));
  });
});

describe('a stated reason for no text is no answer, and nothing is cited', () => {
  test.each<Case>([
    ['chatgpt: a refusal', chatgpt([annotated, { type: 'refusal', refusal: 'No.' }])],
    [
      'chatgpt: a filter',
      chatgpt([annotated], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
    ],
    [
      'claude: a refusal',
      claude([{ type: 'web_search_tool_result', content: [{ url: citations[0] }] }], 'refusal'),
    ],
    ...['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'].map(
      (finishReason): Case => [
        `gemini: ${finishReason}`,
        gemini({
          content: {},
          finishReason,
          groundingMetadata: {
            groundingChunks: [{ web: { uri: citations[0] } }],
            groundingSupports: [{ groundingChunkIndices: [0] }],
          },
        }),
      ],
    ),
    [
      'gemini: a blocked prompt',
      () => parseGemini({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }),
    ],
    ['perplexity: a filter', perplexity({ content: '' }, 'content_filter')],
    ['perplexity: a refusal', perplexity({ content: null, refusal: 'No.' })],
    ['serpapi: no overview', serpApi({})],
    [
      'serpapi: not available',
      serpApi({ ai_overview: { error: 'An AI Overview is not available for this search' } }),
    ],
    ['dataforseo: a page without an overview', dataForSeo({ result: [{ items: [{ type: 'organic' }] }] })],
    ['dataforseo: a search without results', dataForSeo({ status_code: 40_102, result: null })],
  ])('%s', (_name, parse) => {
    const answer = parse();
    expect(answer).toMatchObject({ outcome: 'no_answer', answerText: null, truncated: false });
    expect(answer.sources.filter(({ cited }) => cited)).toEqual([]);
  });
});

describe('an incomplete answer is marked as truncated', () => {
  const half = 'Acme is good and Glo';
  const output = [{ type: 'output_text', text: half }];
  test.each<[string, boolean, () => ParsedAnswer]>([
    [
      'chatgpt: max_output_tokens',
      true,
      chatgpt(output, { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
    ],
    [
      'chatgpt: an incomplete message',
      true,
      () => parseChatgpt({ output: [{ type: 'message', status: 'incomplete', content: output }] }),
    ],
    ['chatgpt: completed', false, chatgpt(output)],
    [
      'gemini: MAX_TOKENS',
      true,
      gemini({ content: { parts: [{ text: half }] }, finishReason: 'MAX_TOKENS' }),
    ],
    [
      'gemini: SAFETY after text',
      true,
      gemini({ content: { parts: [{ text: half }] }, finishReason: 'SAFETY' }),
    ],
    ['gemini: STOP', false, gemini({ content: { parts: [{ text: half }] }, finishReason: 'STOP' })],
    ['gemini: no reason', false, gemini({ content: { parts: [{ text: half }] } })],
    ['claude: max_tokens', true, claude([{ type: 'text', text: half }], 'max_tokens')],
    [
      'claude: the context is full',
      true,
      claude([{ type: 'text', text: half }], 'model_context_window_exceeded'),
    ],
    ['claude: a refusal after text', true, claude([{ type: 'text', text: half }], 'refusal')],
    ['claude: end_turn', false, claude([{ type: 'text', text: half }])],
    ['perplexity: length', true, perplexity({ content: half }, 'length')],
    ['perplexity: stop', false, perplexity({ content: half })],
  ])('%s: %s', (_name, truncated, parse) => {
    expect(parse()).toMatchObject({ outcome: 'answered', answerText: half, truncated });
  });

  test('a failed response is not stored, with or without text', () => {
    expect(chatgpt(output, { status: 'failed' })).toThrow(expect.objectContaining({ kind: 'unavailable' }));
  });
});
