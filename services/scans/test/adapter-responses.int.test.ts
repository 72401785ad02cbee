import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PlatformConfig } from '../src/platforms/adapter.ts';
import { createPlatformHttp, type PlatformHttp } from '../src/platforms/platform-http.ts';
import type { PlatformAdapter } from '../src/platforms/platform.ts';
import {
  createAdapterAt,
  adapterNames,
  type AdapterName,
  catchError,
  getPlatform,
  getTraits,
  send,
} from './adapter-at.ts';

describe('a stub server', () => {
  let server: Server;
  let stubResponse: { status: number; headers?: Record<string, string>; body: string };
  let url: string;
  let lastBody = '';
  let sendInterim = false;
  let http: PlatformHttp;
  const createTestAdapter = (
    adapterName: AdapterName,
    config: Partial<PlatformConfig> = {},
  ): PlatformAdapter => createAdapterAt(adapterName, config, { baseUrl: url, http });

  beforeAll(async () => {
    http = createPlatformHttp({ timeoutMs: 20_000, maxResponseBytes: 1_000_000 });
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

  afterAll(async () => {
    await http.close();
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
      const error = await catchError(send(createTestAdapter(adapterName), 'Which shoes?'));
      expect(error).toMatchObject(expected);
    }
  });

  test.each(adapterNames)('%s: the request forces a search if its traits say so', async (adapterName) => {
    stubResponse = { status: 500, body: '' };
    await catchError(send(createTestAdapter(adapterName), 'Which shoes?'));
    const platform = getPlatform(adapterName);
    // For AI Overviews the request itself is a search.
    const isForced = platform === 'ai_overviews' || lastBody.includes('"tool_choice":');
    expect(getTraits(adapterName).search).toBe(isForced ? 'forced' : 'automatic');
  });

  test('claude: a turn that is always paused is aborted', async () => {
    const block = { type: 'server_tool_use', name: 'web_search', input: { query: 'shoes' } };
    stubResponse = { status: 200, body: JSON.stringify({ stop_reason: 'pause_turn', content: [block] }) };
    const error = await catchError(send(createTestAdapter('claude'), 'Which shoes?'));
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
    await send(createTestAdapter('dataforseo'), 'C++ at 50%25 off?');
    const [{ keyword }] = JSON.parse(lastBody) as [{ keyword: string }];
    expect(decodeURIComponent(keyword.replaceAll('+', ' '))).toBe('C++ at 50%25 off?');
  });

  test('an implausible cost is unknown', async () => {
    const choices = [{ message: { content: 'An answer.' } }];
    for (const total_cost of [-1, 1e300]) {
      const usage = { prompt_tokens: 1, completion_tokens: 1, cost: { total_cost } };
      stubResponse = { status: 200, body: JSON.stringify({ choices, usage }) };
      const answer = await send(createTestAdapter('perplexity'), 'Which shoes?');
      expect(answer).toMatchObject({ outcome: 'answered', costUsd: null });
    }
  });

  test('an interim response is ignored', async () => {
    sendInterim = true;
    stubResponse = { status: 200, body: '{"choices":[{"message":{"content":"An answer."}}]}' };
    const answer = await send(createTestAdapter('perplexity'), 'Which shoes?');
    expect(answer).toMatchObject({ outcome: 'answered', answerText: 'An answer.' });
    sendInterim = false;
  });

  test.each([
    ['asctime', (date: Date) => asctime(date)],
    ['IMF-fixdate', (date: Date) => date.toUTCString()],
  ])('Retry-After as a date: %s', async (_name, write) => {
    const headers = { 'retry-after': write(new Date(Date.now() + 30_000)) };
    stubResponse = { status: 503, headers, body: '' };
    const error = await catchError(send(createTestAdapter('claude'), 'Which shoes?'));
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
      const error = await catchError(send(createTestAdapter(adapterName, { apiKey: key }), 'Which shoes?'));
      expect(error.kind).toBe('unauthorised');
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(key);
    }
  });
});

function asctime(date: Date): string {
  const [weekday = '', day = '', month, year, time] = date.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
}
