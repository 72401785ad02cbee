import { expect, test } from '@jest/globals';
import { createGenAi, type GenAiReply } from './gen-ai.ts';
import { createMetrics } from './metrics.ts';

const call = {
  platform: 'chatgpt',
  operation: 'chat',
  provider: 'openai',
  model: 'm',
  url: 'https://api.example.com',
} as const;

async function observe(replies: readonly GenAiReply[]): Promise<string> {
  const metrics = createMetrics('scans');
  const genAi = createGenAi(metrics);
  for (const reply of replies) {
    await genAi.observe(call, async () => reply, { reply: (value) => value, errorType: () => 'internal' });
  }
  return metrics.registry.metrics();
}

const listModels = (text: string): string[] =>
  [
    ...text.matchAll(
      /^gen_ai_client_operation_duration_seconds_count\{.*response_model="([^"]*)".*\} \d+$/gm,
    ),
  ].map(([, model = '']) => model);

test('a provider that states another model each time makes at most 101 series', async () => {
  const replies = Array.from({ length: 150 }, (_, index) => ({
    model: `model-${index}`,
    inputTokens: 1,
    outputTokens: 1,
  }));
  const text = await observe([...replies, ...replies.slice(0, 1)]);
  const models = listModels(text);
  expect(models).toHaveLength(101);
  expect(models.at(-1)).toBe('_OTHER');
  expect(text).toMatch(/_count\{.*response_model="_OTHER".*\} 50$/m);
  expect(text).toMatch(/seconds_count\{.*response_model="model-0".*\} 2$/m);
});

test('a long name of a model is cut', async () => {
  const text = await observe([{ model: 'x'.repeat(10_000), inputTokens: 0, outputTokens: 0 }]);
  expect(listModels(text)).toEqual(['x'.repeat(100)]);
});

test.each([
  [0, 0],
  [-1, 5],
  [5, -1],
  [Number.NaN, 5],
  [Number.POSITIVE_INFINITY, 5],
])('tokens %d and %d are not counted', async (inputTokens, outputTokens) => {
  const text = await observe([{ model: null, inputTokens, outputTokens }]);
  expect(text).not.toContain('gen_ai_client_token_usage_count');
});

test('an error is thrown as it is', async () => {
  const genAi = createGenAi(createMetrics('scans'));
  const error = new Error('failed');
  const send = async (): Promise<never> => {
    throw error;
  };
  const readers = { reply: (reply: GenAiReply) => reply, errorType: () => 'internal' };
  await expect(genAi.observe(call, send, readers)).rejects.toBe(error);
});
