import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { platformIds, type PlatformId } from '@bv/contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PlatformConfig } from '../src/platforms/adapter.ts';
import { createAdapters } from '../src/platforms/create-adapters.ts';
import { createPlatformHttp, type PlatformHttp } from '../src/platforms/platform-http.ts';
import { PlatformError, type PlatformAdapter, type PlatformAnswer } from '../src/platforms/platform.ts';
import { createSimulator, type Simulator } from '../src/simulator/create-simulator.ts';

type Way = PlatformId | 'dataforseo';

const prefixes: Record<Way, string> = {
  chatgpt: '/openai',
  perplexity: '/perplexity',
  gemini: '/gemini',
  claude: '/anthropic',
  ai_overviews: '/serpapi',
  dataforseo: '/dataforseo',
};
const ways: readonly Way[] = [...platformIds, 'dataforseo'];
const runDate = '2026-11-21';
const hastyTimeoutMs = 500;

let simulator: Simulator;
let patient: PlatformHttp;
let hasty: PlatformHttp;

beforeAll(async () => {
  simulator = await createSimulator({ today: () => runDate });
  patient = createPlatformHttp({ timeoutMs: 20_000, maxResponseBytes: 1_000_000 });
  hasty = createPlatformHttp({ timeoutMs: hastyTimeoutMs, maxResponseBytes: 1_000_000 });
});

afterAll(async () => {
  await Promise.all([patient.close(), hasty.close()]);
  await simulator.close();
});

function adapterFor(
  way: Way,
  overrides: Partial<PlatformConfig> = {},
  baseUrl = simulator.url,
  http = patient,
): PlatformAdapter {
  const config = (each: Way): PlatformConfig => ({
    // A slash at the end is forgiven.
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
        way === 'dataforseo' ? { ...config('dataforseo'), provider: 'dataforseo' } : config('ai_overviews'),
    },
    http,
  );
  return adapters[platformOf(way)];
}

function platformOf(way: Way): PlatformId {
  return way === 'dataforseo' ? 'ai_overviews' : way;
}

function ask(adapter: PlatformAdapter, prompt: string, country = 'DE'): Promise<PlatformAnswer> {
  return adapter.send({ prompt, country, runDate }, { signal: new AbortController().signal });
}

async function errorOf(asking: Promise<unknown>): Promise<PlatformError> {
  const error: unknown = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof PlatformError) return error;
  throw new Error(`no PlatformError but ${String(error)}`);
}

async function control(path: string, body: unknown): Promise<void> {
  const response = await fetch(`${simulator.url}/control/${path}`, {
    method: 'PUT',
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

async function requestsOf(way: Way): Promise<number> {
  const response = await fetch(`${simulator.url}/control/requests`);
  const body = (await response.json()) as { requests: Record<PlatformId, number> };
  return body.requests[platformOf(way)];
}

/** Questions enough for every shape an answer can take: paused, by token, without markers, without an overview. */
const prompts = Array.from(
  { length: 24 },
  (_, index) => `Which running shoes are best for runner number ${index}?`,
);

describe.each(ways)('%s answers', (way) => {
  test('text, sources, model and market over HTTP, the same twice', async () => {
    const adapter = adapterFor(way);
    const answers = await Promise.all(prompts.map((prompt) => ask(adapter, prompt)));
    const again = await Promise.all(prompts.map((prompt) => ask(adapter, prompt)));
    expect(again.map(withoutTime)).toEqual(answers.map(withoutTime));
    const answered = answers.filter((answer) => answer.outcome === 'answered');
    expect(answered.length).toBeGreaterThan(prompts.length / 2);
    expect(answered.length < prompts.length).toBe(platformOf(way) === 'ai_overviews');
    for (const answer of answered) {
      expect(answer.answerText).toMatch(/Nike|adidas|ASICS|Brooks|Hoka/);
      expect(answer.localization).toBe(way === 'gemini' ? 'prompt' : 'native');
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
    if (platformOf(way) === 'ai_overviews') expect(model).toBeNull();
    else expect(model).toContain(`model-${way}`);
  });

  test('other markets are other answers', async () => {
    const adapter = adapterFor(way);
    const [german, french] = await Promise.all([
      Promise.all(prompts.map((prompt) => ask(adapter, prompt, 'DE'))),
      Promise.all(prompts.map((prompt) => ask(adapter, prompt, 'FR'))),
    ]);
    expect(french.map((answer) => answer.answerText)).not.toEqual(german.map((answer) => answer.answerText));
  });

  test('brands set by the control call are named', async () => {
    await control('brands', { brands: [{ name: 'Quuxcorp', domain: 'quuxcorp.com' }] });
    const answers = await Promise.all(prompts.map((prompt) => ask(adapterFor(way), prompt)));
    await control('brands', { brands: [] });
    const naming = answers.filter((answer) => answer.answerText?.includes('Quuxcorp'));
    expect(naming.length).toBeGreaterThan(prompts.length / 3);
    expect(naming.some((answer) => answer.sources.some((source) => source.domain === 'quuxcorp.com'))).toBe(
      true,
    );
  });
});

describe.each(ways)('%s in trouble', (way) => {
  const platform = platformOf(way);
  // One whose answer takes a single call and has an overview.
  const prompt = 'Which running shoes are best?';

  test('429 says when to come back', async () => {
    await control('trouble', { platform, kind: '429', count: 1, retryAfterSeconds: 7 });
    const error = await errorOf(ask(adapterFor(way), prompt));
    expect(error).toMatchObject({ kind: 'rate_limited', retryable: true });
    // DataForSEO refuses inside a 200 and names no time.
    expect(error.status).toBe(way === 'dataforseo' ? 200 : 429);
    expect(error.retryAfterSeconds).toBe(way === 'dataforseo' ? null : 7);
    await expect(ask(adapterFor(way), prompt)).resolves.toMatchObject({ localization: expect.any(String) });
  });

  test('500 is unavailable', async () => {
    await control('trouble', { platform, kind: '500', count: 1 });
    expect(await errorOf(ask(adapterFor(way), prompt))).toMatchObject({
      kind: 'unavailable',
      status: 500,
      retryable: true,
    });
  });

  test('an error inside a 200 is found', async () => {
    await control('trouble', { platform, kind: 'error-in-200', count: 1 });
    expect(await errorOf(ask(adapterFor(way), prompt))).toMatchObject({
      kind: 'unavailable',
      status: 200,
      retryable: true,
    });
  });

  test('an empty answer without a stated reason is a failure to try again', async () => {
    await control('trouble', { platform, kind: 'empty', count: 1 });
    expect(await errorOf(ask(adapterFor(way), prompt))).toMatchObject({ kind: 'malformed', retryable: true });
  });

  test('a refusal is no answer, never "not mentioned", and cites nothing', async () => {
    await control('trouble', { platform, kind: 'refusal', count: 1 });
    const answer = await ask(adapterFor(way), prompt);
    expect(answer).toMatchObject({ outcome: 'no_answer', answerText: null, truncated: false });
    expect(answer.sources.filter(({ cited }) => cited)).toEqual([]);
  });

  test('no overview is no answer; who has none answers on', async () => {
    await control('trouble', { platform, kind: 'no-overview', count: 1 });
    const answer = await ask(adapterFor(way), prompt);
    await control('trouble', { platform, kind: null });
    expect(answer.outcome).toBe(platform === 'ai_overviews' ? 'no_answer' : 'answered');
  });

  test('slow but in time is an answer with its time', async () => {
    await control('trouble', { platform, kind: 'slow', count: 1, delayMs: 150 });
    const answer = await ask(adapterFor(way), prompt);
    expect(answer.latencyMs).toBeGreaterThanOrEqual(140);
  });

  test('slower than the deadline, or never, is a timeout', async () => {
    for (const trouble of [{ kind: 'slow', delayMs: 10_000 }, { kind: 'hang' }]) {
      await control('trouble', { platform, count: 1, ...trouble });
      const startedAt = performance.now();
      const asking = ask(adapterFor(way, {}, simulator.url, hasty), prompt);
      expect(await errorOf(asking)).toMatchObject({ kind: 'timeout', retryable: true });
      expect(performance.now() - startedAt).toBeLessThan(hastyTimeoutMs + 4_000);
    }
  });

  test("the caller's abort is the caller's own reason", async () => {
    await control('trouble', { platform, kind: 'hang', count: 1 });
    const reason = new Error('the worker stops');
    const controller = new AbortController();
    const asking = adapterFor(way).send({ prompt, country: 'DE', runDate }, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(asking).rejects.toBe(reason);
    await control('trouble', { platform, kind: null });
  });

  test('a refused key is not tried again, without one nothing is sent', async () => {
    expect(await errorOf(ask(adapterFor(way, { apiKey: 'invalid' }), prompt))).toMatchObject({
      kind: 'unauthorised',
      retryable: false,
    });
    const before = await requestsOf(way);
    expect(await errorOf(ask(adapterFor(way, { apiKey: null }), prompt))).toMatchObject({
      kind: 'unconfigured',
      retryable: false,
      status: null,
    });
    expect(await requestsOf(way)).toBe(before);
  });

  test('nobody listening is unavailable', async () => {
    const error = await errorOf(ask(adapterFor(way, {}, 'http://127.0.0.1:9'), prompt));
    expect(error).toMatchObject({ kind: 'unavailable', retryable: true, status: null });
  });
});

describe('peculiarities', () => {
  test('claude: a country it refuses goes into the prompt, recorded as such', async () => {
    const before = await requestsOf('claude');
    const answer = await ask(adapterFor('claude'), 'Which running shoes are best?', 'IE');
    expect(answer.localization).toBe('prompt');
    expect(await requestsOf('claude')).toBeGreaterThanOrEqual(before + 2);
  });

  test('claude: paused turns are continued and joined', async () => {
    const adapter = adapterFor('claude');
    let paused = 0;
    for (const prompt of prompts) {
      const before = await requestsOf('claude');
      const answer = await ask(adapter, prompt);
      const calls = (await requestsOf('claude')) - before;
      if (calls === 1) continue;
      paused += 1;
      expect(answer.answerText).toMatch(/^(?!Let me search).+decide\.$/s);
      expect(answer.searchQueries).toHaveLength(2);
    }
    expect(paused).toBeGreaterThan(0);
  });

  test('serpapi: an overview that loads later takes a second call', async () => {
    const calls: number[] = [];
    for (const prompt of prompts) {
      const before = await requestsOf('ai_overviews');
      await ask(adapterFor('ai_overviews'), prompt);
      calls.push((await requestsOf('ai_overviews')) - before);
    }
    expect(new Set(calls)).toEqual(new Set([1, 2]));
  });

  test('costs come from the prices, or from the service where it states them', async () => {
    const prices = {
      inputPerMillionTokensUsd: 1,
      outputPerMillionTokensUsd: 10,
      searchUsd: 0.01,
      requestUsd: 0.001,
    };
    for (const way of ways) {
      const priced = await ask(adapterFor(way, { prices }), 'Which running shoes are best?');
      expect(priced.costUsd).toBeGreaterThan(0);
      const { costUsd } = await ask(adapterFor(way), 'Which running shoes are best?');
      expect(costUsd).toBe({ perplexity: 0.006, dataforseo: 0.002 }[String(way)] ?? null);
    }
  });
});

describe('a server that is no platform', () => {
  let server: Server;
  let reply: { status: number; headers?: Record<string, string>; body: string };
  let url: string;
  let lastBody = '';
  let interim = false;

  beforeAll(async () => {
    server = createServer((request, response) => {
      text(request).then(
        (body) => {
          lastBody = body;
          if (interim) response.writeContinue();
          response.writeHead(reply.status, reply.headers);
          response.end(reply.body);
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
      'more than is taken',
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
    reply = answer;
    for (const way of ways) {
      const error = await errorOf(ask(adapterFor(way, {}, url), 'Which shoes?'));
      expect(error).toMatchObject(expected);
    }
  });

  test('claude: a turn that is paused for ever is given up', async () => {
    const block = { type: 'server_tool_use', name: 'web_search', input: { query: 'shoes' } };
    reply = { status: 200, body: JSON.stringify({ stop_reason: 'pause_turn', content: [block] }) };
    const error = await errorOf(ask(adapterFor('claude', {}, url), 'Which shoes?'));
    expect(error).toMatchObject({ kind: 'unavailable', retryable: true });
    const { messages } = JSON.parse(lastBody) as { messages: { content: unknown[] }[] };
    // The fifth and last call had four halves to go on from.
    expect(messages[1]?.content).toEqual([block, block, block, block]);
  });

  test('dataforseo, which decodes its keyword, gets it encoded', async () => {
    reply = {
      status: 200,
      body: '{"status_code":20000,"tasks":[{"status_code":20000,"result":[{"items":[]}]}]}',
    };
    await ask(adapterFor('dataforseo', {}, url), 'C++ at 50%25 off?');
    const [{ keyword }] = JSON.parse(lastBody) as [{ keyword: string }];
    expect(decodeURIComponent(keyword.replaceAll('+', ' '))).toBe('C++ at 50%25 off?');
  });

  test('a cost beyond all reason is an unknown one', async () => {
    const choices = [{ message: { content: 'An answer.' } }];
    for (const total_cost of [-1, 1e300]) {
      const usage = { prompt_tokens: 1, completion_tokens: 1, cost: { total_cost } };
      reply = { status: 200, body: JSON.stringify({ choices, usage }) };
      const answer = await ask(adapterFor('perplexity', {}, url), 'Which shoes?');
      expect(answer).toMatchObject({ outcome: 'answered', costUsd: null });
    }
  });

  test('an interim response that was not asked for is no answer yet', async () => {
    interim = true;
    reply = { status: 200, body: '{"choices":[{"message":{"content":"An answer."}}]}' };
    const answer = await ask(adapterFor('perplexity', {}, url), 'Which shoes?');
    expect(answer).toMatchObject({ outcome: 'answered', answerText: 'An answer.' });
    interim = false;
  });

  test.each([
    ['asctime', (date: Date) => asctime(date)],
    ['IMF-fixdate', (date: Date) => date.toUTCString()],
  ])('a date to come back: %s', async (_name, write) => {
    const headers = { 'retry-after': write(new Date(Date.now() + 30_000)) };
    reply = { status: 503, headers, body: '' };
    const error = await errorOf(ask(adapterFor('claude', {}, url), 'Which shoes?'));
    expect(error).toMatchObject({ kind: 'unavailable', status: 503 });
    expect(error.retryAfterSeconds).toBeGreaterThan(25);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(30);
  });

  test('a key in a refusal does not reach our logs', async () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
    reply = {
      status: 401,
      body: JSON.stringify({ error: { message: `Incorrect API key provided: ${key}.` } }),
    };
    for (const way of ways) {
      const error = await errorOf(ask(adapterFor(way, { apiKey: key }, url), 'Which shoes?'));
      expect(error.kind).toBe('unauthorised');
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(key);
    }
  });
});

function asctime(date: Date): string {
  const [weekday = '', day = '', month, year, time] = date.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
}

function withoutTime({ latencyMs: _latencyMs, ...answer }: PlatformAnswer): unknown {
  return answer;
}
