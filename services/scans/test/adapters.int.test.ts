import { createSimulator, type Simulator } from '@bv/platform-simulator';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PlatformConfig } from '../src/platforms/adapter.ts';
import { createPlatformHttp, type PlatformHttp } from '../src/platforms/platform-http.ts';
import { type PlatformAdapter, type PlatformAnswer } from '../src/platforms/platform.ts';
import {
  createAdapterAt,
  adapterNames,
  type AdapterName,
  catchError,
  getPlatform,
  getTraits,
  runDate,
  send,
} from './adapter-at.ts';

const shortTimeoutMs = 500;

let simulator: Simulator;
let defaultHttp: PlatformHttp;
let shortTimeoutHttp: PlatformHttp;

beforeAll(async () => {
  simulator = await createSimulator({ today: () => runDate });
  defaultHttp = createPlatformHttp({ timeoutMs: 20_000, maxResponseBytes: 1_000_000 });
  shortTimeoutHttp = createPlatformHttp({ timeoutMs: shortTimeoutMs, maxResponseBytes: 1_000_000 });
});

afterAll(async () => {
  await Promise.all([defaultHttp.close(), shortTimeoutHttp.close()]);
  await simulator.close();
});

const createTestAdapter = (
  adapterName: AdapterName,
  config: Partial<PlatformConfig> = {},
  at = { baseUrl: simulator.url, http: defaultHttp },
): PlatformAdapter => createAdapterAt(adapterName, config, at);

const countRequests = (adapterName: AdapterName): number =>
  simulator.state.requests[getPlatform(adapterName)];

const statedCosts: Partial<Record<AdapterName, number>> = {
  perplexity: 0.006,
  perplexity_agent: 0.006,
  dataforseo: 0.002,
};

/** Enough prompts for every kind of answer: paused, by token, without markers, without an overview. */
const prompts = Array.from(
  { length: 24 },
  (_, index) => `Which running shoes are best for runner number ${index}?`,
);

describe.each(adapterNames)('%s', (adapterName) => {
  test('returns text, sources, model and market over HTTP, and is deterministic', async () => {
    const adapter = createTestAdapter(adapterName);
    const answers = await Promise.all(prompts.map((prompt) => send(adapter, prompt)));
    const repeated = await Promise.all(prompts.map((prompt) => send(adapter, prompt)));
    expect(repeated.map(withoutLatency)).toEqual(answers.map(withoutLatency));
    const answered = answers.filter((answer) => answer.outcome === 'answered');
    expect(answered.length).toBeGreaterThan(prompts.length / 2);
    expect(answered.length < prompts.length).toBe(getPlatform(adapterName) === 'ai_overviews');
    for (const answer of answered) {
      expect(answer.answerText).toMatch(/Nike|adidas|ASICS|Brooks|Hoka/);
      expect(answer.localization).toBe(getTraits(adapterName).localization);
      expect(answer.searchUsed).toBe(true);
      expect(answer.latencyMs).toBeGreaterThanOrEqual(0);
      expect(answer.sources.map((source) => source.position)).toEqual(
        answer.sources.map((_, index) => index + 1),
      );
      for (const { url } of answer.sources) {
        expect(url).not.toMatch(/utm_|gclid|fbclid|#|grounding-api-redirect|127\.0\.0\.1/);
      }
    }
    expect(answered.some((answer) => answer.sources.some((source) => source.cited))).toBe(true);
    const model = answered[0]?.model ?? null;
    const hasModel = getPlatform(adapterName) !== 'ai_overviews';
    expect(model).toEqual(hasModel ? expect.stringContaining(`model-${adapterName}`) : null);
  });
});

describe.each(adapterNames)('%s in trouble', (adapterName) => {
  const platform = getPlatform(adapterName);
  // The answer to this prompt needs a single call and has an overview.
  const prompt = 'Which running shoes are best?';

  test('429 carries the retry delay', async () => {
    simulator.state.setTrouble({ platform, kind: '429', count: 1, retryAfterSeconds: 7 });
    const error = await catchError(send(createTestAdapter(adapterName), prompt));
    expect(error).toMatchObject({ kind: 'rate_limited', retryable: true });
    // DataForSEO reports the rate limit in a 200 response without a retry delay.
    expect(error.status).toBe(adapterName === 'dataforseo' ? 200 : 429);
    expect(error.retryAfterSeconds).toBe(adapterName === 'dataforseo' ? null : 7);
    await expect(send(createTestAdapter(adapterName), prompt)).resolves.toMatchObject({
      localization: expect.any(String),
    });
  });

  test('500 is unavailable', async () => {
    simulator.state.setTrouble({ platform, kind: '500', count: 1 });
    expect(await catchError(send(createTestAdapter(adapterName), prompt))).toMatchObject({
      kind: 'unavailable',
      status: 500,
      retryable: true,
    });
  });

  test('an error in a 200 response is detected', async () => {
    simulator.state.setTrouble({ platform, kind: 'error-in-200', count: 1 });
    expect(await catchError(send(createTestAdapter(adapterName), prompt))).toMatchObject({
      kind: 'unavailable',
      status: 200,
      retryable: true,
    });
  });

  test('an empty answer without a stated reason is a retryable failure', async () => {
    simulator.state.setTrouble({ platform, kind: 'empty', count: 1 });
    expect(await catchError(send(createTestAdapter(adapterName), prompt))).toMatchObject({
      kind: 'malformed',
      retryable: true,
    });
  });

  test('a refusal is no answer, never "not mentioned", and cites nothing', async () => {
    simulator.state.setTrouble({ platform, kind: 'refusal', count: 1 });
    const answer = await send(createTestAdapter(adapterName), prompt);
    expect(answer).toMatchObject({ outcome: 'no_answer', answerText: null, truncated: false });
    expect(answer.sources.filter(({ cited }) => cited)).toEqual([]);
  });

  test('no overview is no answer; other platforms are not affected', async () => {
    simulator.state.setTrouble({ platform, kind: 'no-overview', count: 1 });
    const answer = await send(createTestAdapter(adapterName), prompt);
    simulator.state.setTrouble({ platform, kind: null });
    expect(answer.outcome).toBe(platform === 'ai_overviews' ? 'no_answer' : 'answered');
  });

  test('links that hide their pages are unresolved and no source', async () => {
    simulator.state.setTrouble({ platform, kind: 'unresolved_links', count: prompts.length });
    const adapter = createTestAdapter(adapterName);
    const answers = await Promise.all(prompts.slice(0, 6).map((prompt) => send(adapter, prompt)));
    simulator.state.setTrouble({ platform, kind: null });
    expect(answers.flatMap(({ sources }) => sources)).toEqual([]);
    expect(answers.some(({ sourcesUnresolved }) => sourcesUnresolved > 0)).toBe(true);
  });

  test.each(['no_sources', 'short_answers', 'no_model'] as const)(
    '%s changes the shape only',
    async (kind) => {
      const adapter = createTestAdapter(adapterName);
      const ask = () => Promise.all(prompts.map((prompt) => send(adapter, prompt)));
      const usual = await ask();
      simulator.state.setTrouble({ platform, kind });
      const changed = await ask();
      simulator.state.setTrouble({ platform, kind: null });
      const toShape = (answers: typeof usual) => ({
        answered: answers.filter(({ outcome }) => outcome === 'answered').length,
        hasSources: answers.some(({ sources }) => sources.length > 0),
        hasModel: answers.some(({ model }) => model !== null),
        length: answers.reduce((sum, { answerText }) => sum + (answerText?.length ?? 0), 0),
      });
      const [before, after] = [toShape(usual), toShape(changed)];
      expect(after.answered).toBe(before.answered);
      expect(after.hasSources).toBe(kind === 'no_sources' ? false : before.hasSources);
      expect(after.hasModel).toBe(kind === 'no_model' ? false : before.hasModel);
      if (kind === 'short_answers') expect(after.length).toBeLessThan(0.7 * before.length);
    },
  );

  test('a slow answer within the deadline has its latency', async () => {
    simulator.state.setTrouble({ platform, kind: 'slow', count: 1, delayMs: 150 });
    const answer = await send(createTestAdapter(adapterName), prompt);
    expect(answer.latencyMs).toBeGreaterThanOrEqual(140);
  });

  test('a response after the deadline, or none, is a timeout', async () => {
    for (const trouble of [{ kind: 'slow', delayMs: 10_000 }, { kind: 'hang' }] as const) {
      simulator.state.setTrouble({ platform, count: 1, ...trouble });
      const startedAt = performance.now();
      const pending = send(
        createTestAdapter(adapterName, {}, { baseUrl: simulator.url, http: shortTimeoutHttp }),
        prompt,
      );
      expect(await catchError(pending)).toMatchObject({ kind: 'timeout', retryable: true });
      expect(performance.now() - startedAt).toBeLessThan(shortTimeoutMs + 4_000);
    }
  });

  test("an abort rejects with the caller's own reason", async () => {
    simulator.state.setTrouble({ platform, kind: 'hang', count: 1 });
    const reason = new Error('the worker stops');
    const controller = new AbortController();
    const pending = createTestAdapter(adapterName).send(
      { prompt, country: 'DE', runDate },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(reason), 50);
    await expect(pending).rejects.toBe(reason);
    simulator.state.setTrouble({ platform, kind: null });
  });

  test('a rejected key is not retried, and without a key nothing is sent', async () => {
    expect(
      await catchError(send(createTestAdapter(adapterName, { apiKey: 'invalid' }), prompt)),
    ).toMatchObject({
      kind: 'unauthorised',
      retryable: false,
    });
    const before = countRequests(adapterName);
    expect(await catchError(send(createTestAdapter(adapterName, { apiKey: null }), prompt))).toMatchObject({
      kind: 'unconfigured',
      retryable: false,
      status: null,
    });
    expect(countRequests(adapterName)).toBe(before);
  });

  test('a closed port is unavailable', async () => {
    const error = await catchError(
      send(createTestAdapter(adapterName, {}, { baseUrl: 'http://127.0.0.1:9', http: defaultHttp }), prompt),
    );
    expect(error).toMatchObject({ kind: 'unavailable', retryable: true, status: null });
  });
});

describe('platform-specific behaviour', () => {
  test('claude: a rejected country goes into the prompt, and localization reports it', async () => {
    const before = countRequests('claude');
    const answer = await send(createTestAdapter('claude'), 'Which running shoes are best?', 'IE');
    expect(answer.localization).toBe('prompt');
    expect(countRequests('claude')).toBeGreaterThanOrEqual(before + 2);
  });

  test('claude: paused turns are continued and joined', async () => {
    const adapter = createTestAdapter('claude');
    let paused = 0;
    for (const prompt of prompts) {
      const before = countRequests('claude');
      const answer = await send(adapter, prompt);
      const requestCount = countRequests('claude') - before;
      if (requestCount === 1) continue;
      paused += 1;
      expect(answer.answerText).toMatch(/^(?!Let me search).+decide\.$/s);
      expect(answer.searchQueries).toHaveLength(2);
    }
    expect(paused).toBeGreaterThan(0);
  });

  test('serpapi: an overview that loads later needs a second call', async () => {
    const requestCounts: number[] = [];
    for (const prompt of prompts) {
      const before = countRequests('ai_overviews');
      await send(createTestAdapter('ai_overviews'), prompt);
      requestCounts.push(countRequests('ai_overviews') - before);
    }
    expect(new Set(requestCounts)).toEqual(new Set([1, 2]));
  });

  test('costs are those that the service states, else from the prices', async () => {
    const prices = {
      inputPerMillionTokensUsd: 1,
      outputPerMillionTokensUsd: 10,
      searchUsd: 0.01,
      requestUsd: 0.001,
    };
    for (const adapterName of adapterNames) {
      const priced = await send(createTestAdapter(adapterName, { prices }), 'Which running shoes are best?');
      expect(priced.costUsd).toBeGreaterThan(0);
      const { costUsd } = await send(createTestAdapter(adapterName), 'Which running shoes are best?');
      expect(costUsd).toBe(statedCosts[adapterName] ?? null);
    }
  });
});

function withoutLatency({ latencyMs: _latencyMs, ...answer }: PlatformAnswer): unknown {
  return answer;
}
