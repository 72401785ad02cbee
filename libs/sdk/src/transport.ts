import { ApiError, ConnectionError, UnexpectedResponseError } from './errors.ts';
import type { ResponseInfo } from './options.ts';
import { parseRetryAfter } from './generated/retry-after.ts';

export type Request = { operation: string; url: string; init: RequestInit };
export type ApiResponse = { body: Record<string, unknown>; info: ResponseInfo };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(operation: string, response: Response): ResponseInfo {
  const { headers, status } = response;
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const [limit, remaining, reset] = [
    number('x-ratelimit-limit'),
    number('x-ratelimit-remaining'),
    number('x-ratelimit-reset'),
  ];
  return {
    operation,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    idempotentReplayed: headers.get('idempotent-replayed') === 'true',
    rateLimit: [limit, remaining, reset].every(Number.isFinite)
      ? { limit, remaining, resetsAt: new Date(reset * 1000) }
      : undefined,
  };
}

async function send(fetch: typeof globalThis.fetch, request: Request, signal: AbortSignal) {
  try {
    const response = await fetch(request.url, { ...request.init, signal, redirect: 'manual' });
    return { response, text: await response.text() };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { origin } = new URL(request.url);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConnectionError(`no response from ${origin}: ${reason}`, { cause: error });
  }
}

function toError(status: number, body: unknown, requestId: string | undefined, retryAfterSeconds?: number) {
  const error = isRecord(body) ? body['error'] : undefined;
  if (!isRecord(error) || typeof error['code'] !== 'string') {
    const hint = status >= 300 && status < 400 ? 'a redirect' : 'a body that is not an error of this API';
    return new UnexpectedResponseError(`status ${status} with ${hint}; check the base URL`, {
      status,
      requestId,
      retryAfterSeconds,
    });
  }
  const { code, message, details } = error;
  const text = typeof message === 'string' ? message : code;
  return new ApiError({ code, status, message: text, details, requestId, retryAfterSeconds });
}

/** Makes one attempt: sends the request and validates the response. */
export async function attempt(
  fetch: typeof globalThis.fetch,
  request: Request,
  signal: AbortSignal,
  onInfo: (info: ResponseInfo) => void,
): Promise<ApiResponse> {
  const { response, text } = await send(fetch, request, signal);
  const info = describe(request.operation, response);
  onInfo(info);
  const { status, requestId } = info;
  const body = parse(text);
  if (!response.ok) {
    throw toError(status, body, requestId, parseRetryAfter(response.headers.get('retry-after'), Date.now()));
  }
  if (!isRecord(body) || !('data' in body)) {
    throw new UnexpectedResponseError(`status ${status} without data; check the base URL`, {
      status,
      requestId,
    });
  }
  return { body, info };
}
