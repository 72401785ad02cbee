import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseData, Operation } from '@bv/contract';
import { parseRetryAfter } from '@bv/resilience';
import type { z } from 'zod';
import { StackFailure } from '../failure.ts';

type CallInput<O extends Operation> = {
  params?: z.input<O['params']>;
  query?: z.input<O['query']>;
  body?: O['body'] extends z.ZodType ? z.input<O['body']> : never;
  /** The body of an import, an object a line. */
  lines?: readonly object[];
};

export type ApiClient = {
  item<O extends Operation>(operation: O, input?: CallInput<O>): Promise<ResponseData<O>>;
  /** Reads every page. */
  list<O extends Operation>(operation: O, input?: CallInput<O>): Promise<ResponseData<O>[]>;
};

/** An error response of the API. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(operation: Operation, status: number, code: string, details: unknown) {
    super(`${operation.id} failed: ${status} ${code} ${JSON.stringify(details ?? '')}`);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export function isRefusal(error: unknown, code: string): error is Refusal {
  return error instanceof Refusal && error.code === code;
}

type Envelope = {
  data?: unknown;
  pagination?: { next_cursor: string | null };
  error?: { code: string; details?: unknown };
};

type Request = { url: URL; method: string; headers: Record<string, string>; body?: string };

const callTimeoutMs = 30_000;
const maxRetryMs = 60_000;
const retryableCodes = new Set([
  'rate_limited',
  'scan_in_progress',
  'api_unavailable',
  'rate_limit_unavailable',
]);

/** Calls operations of the contract over HTTP, as a customer would, and validates the responses. */
export function createApiClient(
  { baseUrl, token }: { baseUrl: string; token: string },
  signal: AbortSignal,
): ApiClient {
  const call = async (operation: Operation, input: CallInput<Operation>): Promise<Envelope> => {
    const request = buildRequest(operation, input, baseUrl, token);
    const deadline = performance.now() + maxRetryMs;
    for (;;) {
      const { status, envelope, retryAfterMs } = await send(request, operation, signal);
      if (envelope.error === undefined) return envelope;
      const refusal = new Refusal(operation, status, envelope.error.code, envelope.error.details);
      if (!canRetry(operation, refusal) || performance.now() + retryAfterMs > deadline) throw refusal;
      await sleep(retryAfterMs, undefined, { signal });
    }
  };
  return {
    item: async (operation, input = {}) => {
      const { data } = await call(operation, input as CallInput<Operation>);
      return operation.success.data.parse(data) as ResponseData<typeof operation>;
    },
    list: async (operation, input = {}) => {
      const rows: ResponseData<typeof operation>[] = [];
      let cursor: string | null = null;
      do {
        const query = { limit: 200, ...(input.query as object), ...(cursor === null ? {} : { cursor }) };
        const page: Envelope = await call(operation, { ...(input as CallInput<Operation>), query });
        const data = page.data as unknown[];
        rows.push(...data.map((row) => operation.success.data.parse(row) as ResponseData<typeof operation>));
        cursor = page.pagination?.next_cursor ?? null;
      } while (cursor !== null);
      return rows;
    },
  };
}

/** A public write has the same idempotency key in every attempt. A POST of the operator API is not idempotent. */
function canRetry(operation: Operation, { code }: Refusal): boolean {
  return retryableCodes.has(code) && (operation.api === 'public' || operation.method !== 'POST');
}

function buildRequest(
  operation: Operation,
  { params, query, body, lines }: CallInput<Operation>,
  baseUrl: string,
  token: string,
): Request {
  const values = (params ?? {}) as Record<string, string>;
  const path = operation.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, string | number | undefined>)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const text = lines?.map((line) => JSON.stringify(line)).join('\n') ?? JSON.stringify(body);
  return {
    url,
    method: operation.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(lines === undefined ? {} : { 'content-type': 'application/x-ndjson' }),
      ...(operation.idempotent ? { 'idempotency-key': randomUUID() } : {}),
    },
    ...(text === undefined ? {} : { body: text }),
  };
}

async function send(
  { url, ...request }: Request,
  operation: Operation,
  signal: AbortSignal,
): Promise<{ status: number; envelope: Envelope; retryAfterMs: number }> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...request, signal: deadline });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw new StackFailure(`${operation.id}: ${url.href} did not respond (${String(error)})`);
  }
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'), Date.now());
  const retryAfterMs = Math.max(1, retryAfter ?? 1) * 1_000;
  try {
    return { status: response.status, envelope: JSON.parse(text) as Envelope, retryAfterMs };
  } catch {
    throw new StackFailure(`${operation.id} returned ${response.status} with a body that is not JSON`);
  }
}
