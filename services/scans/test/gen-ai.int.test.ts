import { createSimulator, type Simulator } from '@bv/platform-simulator';
import { createGenAi, createMetrics } from '@bv/telemetry';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { PlatformConfig } from '../src/platforms/adapter.ts';
import { createPlatformHttp, type PlatformHttp } from '../src/platforms/platform-http.ts';
import { type AdapterName, catchError, createAdapterAt, getPlatform, runDate, send } from './adapter-at.ts';
import { createJudgeAt, setTrouble } from './judge-harness.ts';

type SpanProcessor = NonNullable<NodeSDKConfiguration['spanProcessors']>[number];
type ReadableSpan = Parameters<SpanProcessor['onEnd']>[0];

const spans: ReadableSpan[] = [];
const spanProcessor: SpanProcessor = {
  onStart: () => undefined,
  onEnd: (span) => spans.push(span),
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};
const sdk = new NodeSDK({ metricReaders: [], logRecordProcessors: [], spanProcessors: [spanProcessor] });

const prompt = 'Which running shoes are best?';
let simulator: Simulator;
let http: PlatformHttp;

beforeAll(async () => {
  sdk.start();
  simulator = await createSimulator({ today: () => runDate });
  http = createPlatformHttp({ timeoutMs: 20_000, maxResponseBytes: 1_000_000 });
});

afterEach(() => {
  spans.length = 0;
  simulator.state.setTrouble({ platform: 'chatgpt', kind: null });
  setTrouble(simulator, null);
});

afterAll(async () => {
  await http.close();
  await simulator.close();
  await sdk.shutdown();
});

/** An adapter at the simulator, with its metrics. The address has a user and a password. */
function createObserved(adapterName: AdapterName, config: Partial<PlatformConfig> = {}) {
  const metrics = createMetrics('scans');
  const baseUrl = simulator.url.replace('http://', 'http://secret-user:secret-word@');
  const secret = { apiKey: 'secret-login:secret-password', ...config };
  const adapter = createAdapterAt(adapterName, secret, { baseUrl, http, genAi: createGenAi(metrics) });
  /** The samples of a metric that have this suffix. */
  const list = async (name: string, suffix: 'count' | 'sum') => {
    const metric = (await metrics.registry.getMetricsAsJSON()).find((each) => each.name === name);
    const samples = (metric?.values ?? []) as { metricName?: string; labels: object; value: number }[];
    return samples
      .filter(({ metricName }) => metricName === `${name}_${suffix}`)
      .map(({ labels, value }) => ({ labels, value }));
  };
  return {
    adapter,
    countCalls: () => list('gen_ai_client_operation_duration_seconds', 'count'),
    sumTokens: () => list('gen_ai_client_token_usage', 'sum'),
  };
}

const server = () => ({
  'server.address': '127.0.0.1',
  'server.port': Number(new URL(simulator.url).port),
});

/** The only span. Nothing of it may quote a prompt, an answer or a secret. */
function findSpan(...hidden: (string | null)[]): ReadableSpan {
  const [span, ...further] = spans;
  if (span === undefined) throw new Error('no span');
  expect(further).toEqual([]);
  const { name, attributes, events, status } = span;
  const recorded = JSON.stringify({ name, attributes, events, status });
  for (const text of ['secret', ...hidden]) expect(recorded).not.toContain(text ?? prompt);
  return span;
}

test.each([
  ['chatgpt', 'chat', 'openai'],
  ['perplexity', 'chat', 'perplexity'],
  ['gemini', 'generate_content', 'gcp.gemini'],
  ['claude', 'chat', 'anthropic'],
] as const)('a prompt to %s is one span with the models and tokens, and its metrics', async (...api) => {
  const [platform, operation, provider] = api;
  const { adapter, countCalls, sumTokens } = createObserved(platform);
  const { model, usage, answerText } = await send(adapter, prompt);
  const { inputTokens, outputTokens } = usage;
  const span = findSpan(prompt, answerText);
  expect(span).toMatchObject({ name: `${operation} model-${platform}`, kind: SpanKind.CLIENT });
  expect(span.status.code).toBe(SpanStatusCode.UNSET);
  expect(span.attributes).toEqual({
    platform,
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': `model-${platform}`,
    'gen_ai.response.model': model,
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...server(),
  });
  expect(Math.min(inputTokens, outputTokens)).toBeGreaterThan(0);
  const labels = {
    platform,
    gen_ai_operation_name: operation,
    gen_ai_provider_name: provider,
    gen_ai_request_model: `model-${platform}`,
    gen_ai_response_model: model,
    service: 'scans',
  };
  expect(await countCalls()).toEqual([{ labels, value: 1 }]);
  expect(await sumTokens()).toEqual([
    { labels: { ...labels, gen_ai_token_type: 'input' }, value: inputTokens },
    { labels: { ...labels, gen_ai_token_type: 'output' }, value: outputTokens },
  ]);
});

test.each([
  ['ai_overviews', 'serpapi'],
  ['dataforseo', 'dataforseo'],
] as const)('a prompt to %s has neither a served model nor tokens', async (name, provider) => {
  // As configured: a search vendor has no model.
  const { adapter, sumTokens } = createObserved(name, { model: '' });
  const { answerText } = await send(adapter, prompt);
  const span = findSpan(prompt, answerText);
  expect(span.name).toBe('retrieval');
  expect(span.attributes).toEqual({
    platform: getPlatform(name),
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.provider.name': provider,
    ...server(),
  });
  expect(await sumTokens()).toEqual([]);
});

test('a failed call has the kind of its error, and no message', async () => {
  const { adapter, countCalls } = createObserved('chatgpt');
  simulator.state.setTrouble({ platform: 'chatgpt', kind: '429' });
  const error = await catchError(send(adapter, prompt));
  const span = findSpan(prompt, error.message);
  expect(span.attributes).toMatchObject({ 'error.type': 'rate_limited', ...server() });
  expect(span.attributes).not.toHaveProperty('gen_ai.response.model');
  expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(span.events).toEqual([]);
  const [counted] = await countCalls();
  expect(counted).toMatchObject({ labels: { error_type: 'rate_limited' }, value: 1 });
});

test('a platform without a key has no call', async () => {
  const { adapter, countCalls } = createObserved('chatgpt', { apiKey: null });
  expect((await catchError(send(adapter, prompt))).kind).toBe('unconfigured');
  expect(spans).toEqual([]);
  expect(await countCalls()).toEqual([]);
});

test('each call of the LLM judge is a span, also one that fails', async () => {
  const { rate, count, close } = createJudgeAt(`${simulator.url}/openai`, { apiKey: 'secret' });
  setTrouble(simulator, '500', { count: 1 });
  await rate('Contoso is excellent and reliable.');
  await close();
  const call = {
    platform: 'judge',
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'judge-1',
    ...server(),
  };
  expect(spans.map(({ name }) => name)).toEqual(['chat judge-1', 'chat judge-1']);
  expect(spans.map(({ attributes }) => attributes)).toEqual([
    { ...call, 'error.type': 'unavailable' },
    {
      ...call,
      'gen_ai.response.model': expect.stringContaining('judge-1'),
      'gen_ai.usage.input_tokens': 400,
      'gen_ai.usage.output_tokens': 40,
    },
  ]);
  const recorded = JSON.stringify(spans.map(({ attributes, events }) => ({ attributes, events })));
  expect(recorded).not.toMatch(/secret|Contoso/);
  const judged = { platform: 'judge', error_type: 'unavailable' };
  expect(await count('gen_ai_client_operation_duration_seconds', judged)).toBeGreaterThan(0);
});
