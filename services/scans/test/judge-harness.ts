import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TrackedBrand } from '@bv/extraction';
import type { Simulator } from '@bv/platform-simulator';
import { createLogger, createMetrics } from '@bv/telemetry';
import { scanMetrics } from '../src/telemetry.ts';
import type { JudgeBudget } from '../src/worker/judge-budget.ts';
import type { JudgeConfig } from '../src/worker/judge-config.ts';
import type { JudgedBrand } from '../src/worker/judge-request.ts';
import { createSentimentJudge } from '../src/worker/sentiment-judge.ts';

export type Trouble = Parameters<Simulator['state']['setTrouble']>[0];

/** Sets or, with `kind` null, ends the trouble of the simulated LLM judge. */
export const setTrouble = (
  { state }: Simulator,
  kind: Trouble['kind'],
  fields: Partial<Trouble> = {},
): void => state.setTrouble({ ...fields, platform: 'judge', kind });

const brandNamed = (name: string): TrackedBrand => ({
  id: name,
  name,
  domain: `${name.toLowerCase()}.example.com`,
  aliases: [],
  isOwn: false,
});

export const trackedBrands = ['Contoso', 'Fabrikam', 'Northwind'].map(brandNamed);

const config = {
  provider: 'openai' as const,
  apiKey: 'key',
  model: 'judge-1',
  options: {},
  prices: { inputPerMillionTokensUsd: 1, outputPerMillionTokensUsd: 10 },
  monthlyBudgetUsd: null,
  timeoutMs: 5_000,
  concurrency: 2,
  maxAttempts: 3,
};

export type JudgeOptions = Partial<JudgeConfig> & { budget?: JudgeBudget };

/** An LLM judge at an OpenAI-compatible address, with its metrics. */
export function createJudgeAt(base: string, { budget, ...overrides }: JudgeOptions = {}) {
  const metrics = createMetrics('scans');
  const judge = createSentimentJudge(
    { ...config, url: `${base}/v1/chat/completions`, ...overrides },
    {
      metrics: scanMetrics(metrics),
      log: createLogger({ service: 'scans', level: 'silent' }),
      budget: budget ?? null,
    },
  );
  return {
    judge,
    close: () => judge.close(),
    rate: (answerText: string, brands: readonly TrackedBrand[] = trackedBrands) =>
      judge.rate(answerText, brands, { signal: new AbortController().signal }),
    /** The sum of a metric's samples whose labels match. */
    count: async (name: string, labels: Record<string, string> = {}): Promise<number> => {
      const found = (await metrics.registry.getMetricsAsJSON()).find((metric) => metric.name === name);
      if (found === undefined) throw new Error(`no metric ${name}`);
      return found.values
        .filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
        .reduce((sum, { value }) => sum + value, 0);
    },
  };
}

export type StubRequest = {
  messages: { role: string; content: string }[];
  /** The brands of the user's message. */
  brands: JudgedBrand[];
  bytes: number;
};

type Judgement = { id: number; quote: string; means_brand: boolean; sentiment: number };

/** A completion with these judgements as its content. */
export function completion(content: string | Judgement[], usage?: Record<string, number>) {
  const text = typeof content === 'string' ? content : JSON.stringify({ judgements: content });
  return { choices: [{ finish_reason: 'stop', message: { content: text } }], usage };
}

/** A stub of an API that answers as `respond` decides. It keeps the requests. */
export async function startJudgeStub(
  respond: (request: StubRequest, response: ServerResponse) => unknown,
): Promise<{ url: string; requests: StubRequest[]; close: () => Promise<void> }> {
  const requests: StubRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const { messages } = JSON.parse(body.toString()) as Pick<StubRequest, 'messages'>;
      const { brands } = JSON.parse(messages[1]?.content ?? '') as Pick<StubRequest, 'brands'>;
      const request = { messages, brands, bytes: body.length };
      requests.push(request);
      void Promise.resolve(respond(request, response)).then((reply) => {
        if (reply !== undefined) response.end(JSON.stringify(reply));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
