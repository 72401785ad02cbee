/** Runs the scenarios of `clients/sdk-scenarios` that need no product. */
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  ApiError,
  type ApiPromise,
  BrandVisibilityClient,
  ConnectionError,
  type List,
  partialFailure,
  TimeoutError,
  UnexpectedResponseError,
  verifyWebhook,
  WebhookVerificationError,
} from '@bv/sdk';
import { signWebhook } from '@bv/sdk/testing';
import { startExchange, toComparable } from './exchange-server.ts';
import {
  type CallSettings,
  type ClientSettings,
  type Expected,
  type ExpectedError,
  readExchanges,
  readWebhooks,
  type ScenarioCall,
} from './scenarios.ts';

const apiKey = 'bvk_live_scenario';
const aborted = new Error('aborted by the caller');
type Exchange = Awaited<ReturnType<typeof startExchange>>;

let server: Exchange | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
  delete process.env['BV_API_KEY'];
  delete process.env['BV_BASE_URL'];
});

function createClient(origin: string, settings: ClientSettings = {}): BrandVisibilityClient {
  const baseUrl = settings.base_url === 'without_version' ? origin : `${origin}/v1`;
  const options = {
    timeoutMs: settings.timeout_ms,
    attemptTimeoutMs: settings.attempt_timeout_ms,
    headers: settings.headers,
    retry: { baseDelayMs: 5, maxRetries: settings.max_retries ?? 5 },
  };
  if (settings.from_environment !== true) return new BrandVisibilityClient({ baseUrl, apiKey, ...options });
  Object.assign(process.env, { BV_API_KEY: apiKey, BV_BASE_URL: baseUrl });
  return new BrandVisibilityClient(options);
}

const toOptions = (settings: CallSettings = {}, signal: AbortSignal) => ({
  signal,
  timeoutMs: settings.timeout_ms,
  headers: settings.headers,
  idempotencyKey: settings.idempotency_key,
  onStale: settings.on_stale === 'fail' ? 'throw' : settings.on_stale,
  maxRestarts: settings.max_restarts,
  pollIntervalMs: settings.poll_interval_ms,
  retry: { maxRetries: settings.max_retries },
});

type Method = (...args: unknown[]) => unknown;

async function readList(list: List<unknown>, read: ScenarioCall['read']): Promise<unknown> {
  if (read === 'all') return list.all();
  if (read === 'page') {
    const { data, nextCursor, hasMore } = await list.page();
    return { data, next_cursor: nextCursor, has_more: hasMore };
  }
  const rows: unknown[] = [];
  for await (const row of list) {
    rows.push(row);
    break;
  }
  return rows;
}

/** Makes a call and returns its outcome in the form of the expectation. */
async function makeCall(client: BrandVisibilityClient, call: ScenarioCall, signal: AbortSignal) {
  const { operation, params, body, read, expected } = call;
  const method = (client as unknown as Record<string, Method>)[operation];
  if (method === undefined) throw new Error(`${operation} has no implementation`);
  const args = [params, ...(body === undefined ? [] : [body]), toOptions(call.options, signal)];
  const called = method.apply(client, args);
  if (read !== undefined) return { result: await readList(called as List<unknown>, read) };
  if (expected.response === undefined) return { result: await called };
  const { data, response } = await (called as ApiPromise<unknown>).withResponse();
  const { limit, remaining, resetsAt } = response.rateLimit ?? {};
  const rate_limit = { limit, remaining, reset: Number(resetsAt) / 1000 };
  const fields = {
    status: response.status,
    request_id: response.requestId,
    replayed: response.idempotentReplayed,
    rate_limit,
  };
  return { result: data, response: fields };
}

const kinds: Record<string, (error: unknown) => boolean> = {
  api: (error) => error instanceof ApiError,
  connection: (error) => error instanceof ConnectionError,
  timeout: (error) => error instanceof TimeoutError,
  unexpected_response: (error) => error instanceof UnexpectedResponseError,
  invalid_argument: (error) => error instanceof TypeError,
  aborted: (error) => error === aborted,
};

function compareError(error: unknown, expected: ExpectedError): void {
  if (kinds[expected.kind]?.(error) !== true) throw error;
  const { message_contains: contains = [], message_lacks: lacks = [] } = expected;
  for (const text of contains) expect(String(error)).toContain(text);
  for (const text of lacks) expect(String(error) + JSON.stringify(error)).not.toContain(text);
  const { code, status, details, requestId, retryAfterSeconds } = error as ApiError;
  const fields = { code, status, details, request_id: requestId, retry_after_seconds: retryAfterSeconds };
  for (const [name, value] of Object.entries(fields)) {
    if (name in expected) expect([name, value]).toEqual([name, expected[name as keyof ExpectedError]]);
  }
  if (expected.partial_failure !== undefined) {
    expect(partialFailure(error)).toMatchObject(expected.partial_failure);
  }
}

function compare(outcome: { result: unknown; response?: object }, expected: Expected): void {
  if (expected.error !== undefined) throw new Error(`no error, but ${JSON.stringify(outcome)}`);
  if ('result' in expected) expect(outcome.result).toEqual(expected.result);
  if (expected.result_contains !== undefined) expect(outcome.result).toMatchObject(expected.result_contains);
  if (expected.response !== undefined) expect(outcome.response).toMatchObject(expected.response);
}

describe('exchange', () => {
  test.each(readExchanges().map((scenario) => [scenario.id, scenario.title, scenario] as const))(
    '%s: %s',
    async (_id, _title, { client: settings, exchange, calls }) => {
      const controller = new AbortController();
      let abortAt: number | undefined;
      const onRequest = (count: number) => {
        if (count === abortAt) controller.abort(aborted);
      };
      const steps = exchange.map(({ response }) => response);
      const started = (server = await startExchange(steps, onRequest));
      if (settings?.base_url === 'closed') await started.close();
      const client = createClient(started.origin, settings);
      for (const call of calls) {
        abortAt = call.abort_at_request;
        const outcome = await makeCall(client, call, controller.signal).catch((error: unknown) => {
          if (call.expected.error === undefined) throw error;
          compareError(error, call.expected.error);
          return undefined;
        });
        if (outcome !== undefined) compare(outcome, call.expected);
      }
      const expected = exchange.map(({ request }) => request);
      expect(toComparable(started.received, expected)).toEqual(expected);
    },
  );
});

describe('webhook', () => {
  test.each(readWebhooks().map((scenario) => [scenario.id, scenario.title, scenario] as const))(
    '%s: %s',
    async (_id, _title, { secrets, now, delivery, expected }) => {
      const verified = verifyWebhook(delivery, secrets, { now: now * 1000 });
      const outcome = await verified.then(
        (event) => ({ event }),
        (error: unknown) => {
          if (error instanceof WebhookVerificationError) return { refusal: error.reason };
          if (error instanceof TypeError) return { invalid_argument: true };
          throw error;
        },
      );
      expect(outcome).toEqual(expected);
    },
  );

  test('signWebhook signs like the service', async () => {
    const good = readWebhooks().find(({ id }) => id === 'webhook-good');
    if (good === undefined) throw new Error('the scenario webhook-good is missing');
    const options = { id: 'msg_1', now: good.now * 1000 };
    const signed = await signWebhook(good.delivery.body, good.secrets, options);
    expect(signed).toMatchObject(good.delivery);
  });
});
