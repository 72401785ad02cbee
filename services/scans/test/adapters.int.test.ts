import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { platformIds, type PlatformId } from '@bv/contract';
import { createSimulator, type Simulator } from '@bv/platform-simulator';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PlatformConfig } from '../src/platforms/adapter.ts';
import { createAdapters } from '../src/platforms/create-adapters.ts';
import { createPlatformHttp, type PlatformHttp } from '../src/platforms/platform-http.ts';
import { PlatformError, type PlatformAdapter, type PlatformAnswer } from '../src/platforms/platform.ts';

type AdapterName = PlatformId | 'dataforseo';

const prefixes: Record<AdapterName, string> = {
  chatgpt: '/openai',
  perplexity: '/perplexity',
  gemini: '/gemini',
  claude: '/anthropic',
  ai_overviews: '/serpapi',
  dataforseo: '/dataforseo',
};
const adapterNames: readonly AdapterName[] = [...platformIds, 'dataforseo'];
const runDate = '2026-11-21';
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

function createTestAdapter(
  adapterName: AdapterName,
  overrides: Partial<PlatformConfig> = {},
  baseUrl = simulator.url,
  http = defaultHttp,
): PlatformAdapter {
  const config = (each: AdapterName): PlatformConfig => ({
    // A trailing slash is allowed.
    baseUrl: `${baseUrl}${prefixes[each]}/`,
    apiKey: 'login:password',
    model: `model-${each}`,
    ...overrides,
  });
  const adapters = createAdapters(
    {
      chatgpt: config('chatgpt'),
      perplexity: config('perplexity'),
      gemini: config('gemini'),
      claude: config('claude'),
      ai_overviews:
        adapterName === 'dataforseo'
          ? { ...config('dataforseo'), provider: 'dataforseo' }
          : config('ai_overviews'),
    },
    http,
  );
  return adapters[getPlatform(adapterName)];
}

function getPlatform(adapterName: AdapterName): PlatformId {
  return adapterName === 'dataforseo' ? 'ai_overviews' : adapterName;
}

function send(adapter: PlatformAdapter, prompt: string, country = 'DE'): Promise<PlatformAnswer> {
  return adapter.send({ prompt, country, runDate }, { signal: new AbortController().signal });
}

async function catchError(pending: Promise<unknown>): Promise<PlatformError> {
  const error: unknown = await pending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PlatformError) return error;
  throw new Error(`no PlatformError but ${String(error)}`);
}

const countRequests = (adapterName: AdapterName): number =>
  simulator.state.requests[getPlatform(adapterName)];

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
      expect(answer.localization).toBe(adapterName === 'gemini' ? 'prompt' : 'native');
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

  test('another market has other answers', async () => {
    const adapter = createTestAdapter(adapterName);
    const [german, french] = await Promise.all([
      Promise.all(prompts.map((prompt) => send(adapter, prompt, 'DE'))),
      Promise.all(prompts.map((prompt) => send(adapter, prompt, 'FR'))),
    ]);
    expect(french.map((answer) => answer.answerText)).not.toEqual(german.map((answer) => answer.answerText));
  });

  test('brands set by the control API are named', async () => {
    const body = JSON.stringify({ brands: [{ name: 'Quuxcorp', domain: 'quuxcorp.com' }] });
    await fetch(`${simulator.url}/control/brands`, { method: 'PUT', body });
    const answers = await Promise.all(prompts.map((prompt) => send(createTestAdapter(adapterName), prompt)));
    simulator.state.brands = [];
    const naming = answers.filter((answer) => answer.answerText?.includes('Quuxcorp'));
    expect(naming.length).toBeGreaterThan(prompts.length / 3);
    expect(naming.some((answer) => answer.sources.some((source) => source.domain === 'quuxcorp.com'))).toBe(
      true,
    );
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

  test('a slow answer within the deadline has its latency', async () => {
    simulator.state.setTrouble({ platform, kind: 'slow', count: 1, delayMs: 150 });
    const answer = await send(createTestAdapter(adapterName), prompt);
    expect(answer.latencyMs).toBeGreaterThanOrEqual(140);
  });

  test('a response after the deadline, or none, is a timeout', async () => {
    for (const trouble of [{ kind: 'slow', delayMs: 10_000 }, { kind: 'hang' }] as const) {
      simulator.state.setTrouble({ platform, count: 1, ...trouble });
      const startedAt = performance.now();
      const pending = send(createTestAdapter(adapterName, {}, simulator.url, shortTimeoutHttp), prompt);
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
    const error = await catchError(send(createTestAdapter(adapterName, {}, 'http://127.0.0.1:9'), prompt));
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
      expect(costUsd).toBe({ perplexity: 0.006, dataforseo: 0.002 }[String(adapterName)] ?? null);
    }
  });
});

describe('a stub server', () => {
  let server: Server;
  let stubResponse: { status: number; headers?: Record<string, string>; body: string };
  let url: string;
  let lastBody = '';
  let sendInterim = false;

  beforeAll(async () => {
    server = createServer((request, response) => {
      text(request).then(
        (body) => {
          lastBody = body;
          if (sendInterim) response.writeContinue();
          response.writeHead(stubResponse.status, stubResponse.headers);
          response.end(stubResponse.body);
        },
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test.each([
    ['a page of HTML', { status: 200, body: '<html>' }, { kind: 'malformed', retryable: true, status: 200 }],
    ['nothing at all', { status: 200, body: '' }, { kind: 'malformed', retryable: true }],
    ['half a body', { status: 200, body: '{"output": [' }, { kind: 'malformed', retryable: true }],
    ['JSON of another kind', { status: 200, body: '[1]' }, { kind: 'malformed', retryable: true }],
    [
      'a body over the limit',
      { status: 200, body: `"${'x'.repeat(1_100_000)}"` },
      { kind: 'malformed', retryable: false },
    ],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://example.com/' }, body: '' },
      { kind: 'rejected', retryable: false, status: 302 },
    ],
    ['not found', { status: 404, body: '{}' }, { kind: 'rejected', retryable: false }],
    ['a bad gateway', { status: 502, body: '<html>' }, { kind: 'unavailable', retryable: true }],
    ['a gateway timeout', { status: 504, body: '' }, { kind: 'timeout', retryable: true }],
    [
      'overload',
      { status: 529, body: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}' },
      { kind: 'unavailable' },
    ],
    ['no money', { status: 402, body: '{}' }, { kind: 'quota', retryable: false }],
    [
      'a spent quota as 429',
      { status: 429, body: '{"error":{"code":"insufficient_quota","message":"x"}}' },
      { kind: 'quota', retryable: false },
    ],
    [
      'no searches left',
      { status: 429, body: '{"error":"Your account has run out of searches."}' },
      { kind: 'quota', retryable: false },
    ],
    [
      'milliseconds to wait',
      { status: 429, headers: { 'retry-after-ms': '1500' }, body: '{}' },
      { kind: 'rate_limited', retryAfterSeconds: 2 },
    ],
  ])('%s', async (_name, answer, expected) => {
    stubResponse = answer;
    for (const adapterName of adapterNames) {
      const error = await catchError(send(createTestAdapter(adapterName, {}, url), 'Which shoes?'));
      expect(error).toMatchObject(expected);
    }
  });

  test('claude: a turn that is always paused is aborted', async () => {
    const block = { type: 'server_tool_use', name: 'web_search', input: { query: 'shoes' } };
    stubResponse = { status: 200, body: JSON.stringify({ stop_reason: 'pause_turn', content: [block] }) };
    const error = await catchError(send(createTestAdapter('claude', {}, url), 'Which shoes?'));
    expect(error).toMatchObject({ kind: 'unavailable', retryable: true });
    const { messages } = JSON.parse(lastBody) as { messages: { content: unknown[] }[] };
    // The fifth and last call repeats the content of the four previous ones.
    expect(messages[1]?.content).toEqual([block, block, block, block]);
  });

  test('dataforseo: the keyword is URL-encoded, because the service decodes it', async () => {
    stubResponse = {
      status: 200,
      body: '{"status_code":20000,"tasks":[{"status_code":20000,"result":[{"items":[]}]}]}',
    };
    await send(createTestAdapter('dataforseo', {}, url), 'C++ at 50%25 off?');
    const [{ keyword }] = JSON.parse(lastBody) as [{ keyword: string }];
    expect(decodeURIComponent(keyword.replaceAll('+', ' '))).toBe('C++ at 50%25 off?');
  });

  test('an implausible cost is unknown', async () => {
    const choices = [{ message: { content: 'An answer.' } }];
    for (const total_cost of [-1, 1e300]) {
      const usage = { prompt_tokens: 1, completion_tokens: 1, cost: { total_cost } };
      stubResponse = { status: 200, body: JSON.stringify({ choices, usage }) };
      const answer = await send(createTestAdapter('perplexity', {}, url), 'Which shoes?');
      expect(answer).toMatchObject({ outcome: 'answered', costUsd: null });
    }
  });

  test('an interim response is ignored', async () => {
    sendInterim = true;
    stubResponse = { status: 200, body: '{"choices":[{"message":{"content":"An answer."}}]}' };
    const answer = await send(createTestAdapter('perplexity', {}, url), 'Which shoes?');
    expect(answer).toMatchObject({ outcome: 'answered', answerText: 'An answer.' });
    sendInterim = false;
  });

  test.each([
    ['asctime', (date: Date) => asctime(date)],
    ['IMF-fixdate', (date: Date) => date.toUTCString()],
  ])('Retry-After as a date: %s', async (_name, write) => {
    const headers = { 'retry-after': write(new Date(Date.now() + 30_000)) };
    stubResponse = { status: 503, headers, body: '' };
    const error = await catchError(send(createTestAdapter('claude', {}, url), 'Which shoes?'));
    expect(error).toMatchObject({ kind: 'unavailable', status: 503 });
    expect(error.retryAfterSeconds).toBeGreaterThan(25);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(30);
  });

  test('a key in an error response does not reach the logs', async () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
    stubResponse = {
      status: 401,
      body: JSON.stringify({ error: { message: `Incorrect API key provided: ${key}.` } }),
    };
    for (const adapterName of adapterNames) {
      const error = await catchError(
        send(createTestAdapter(adapterName, { apiKey: key }, url), 'Which shoes?'),
      );
      expect(error.kind).toBe('unauthorised');
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(key);
    }
  });
});

function asctime(date: Date): string {
  const [weekday = '', day = '', month, year, time] = date.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
}

function withoutLatency({ latencyMs: _latencyMs, ...answer }: PlatformAnswer): unknown {
  return answer;
}
