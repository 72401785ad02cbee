import { ApiError, ConnectionError, UnexpectedResponseError } from './errors.ts';
import type { ResponseInfo } from './options.ts';
import { parseRetryAfter } from './generated/retry-after.ts';

export type Request = {
  operation: string;
  attempt: number;
  url: string;
  init: RequestInit & { method: string };
};
export type ApiResponse = { body: Record<string, unknown>; info: ResponseInfo };

const checkUrl = 'check the base URL';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(
  { operation, attempt, url, init }: Request,
  response: Response,
  startMs: number,
): ResponseInfo {
  const { headers, status } = response;
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const [limit, remaining, reset] = [
    number('x-ratelimit-limit'),
    number('x-ratelimit-remaining'),
    number('x-ratelimit-reset'),
  ];
  return {
    operation,
    method: init.method,
    url,
    attempt,
    status,
    headers,
    durationMs: performance.now() - startMs,
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

/** What a path without the version means. The gateway returns `not_found` for it, like for an unknown id. */
function adviseVersion(url: string): string | undefined {
  const { pathname } = new URL(url);
  if (/\/v\d+\//.test(pathname)) return undefined;
  return `the base URL has no version; does it end with /v1? Requested: ${pathname}`;
}

function toError(body: unknown, { status, requestId, headers, url }: ResponseInfo) {
  const retryAfterSeconds = parseRetryAfter(headers.get('retry-after'), Date.now());
  const error = isRecord(body) ? body['error'] : undefined;
  if (!isRecord(error) || typeof error['code'] !== 'string') {
    const hint = status >= 300 && status < 400 ? 'a redirect' : 'a body that is not an error of this API';
    return new UnexpectedResponseError(`status ${status} with ${hint}; ${adviseVersion(url) ?? checkUrl}`, {
      status,
      requestId,
      retryAfterSeconds,
    });
  }
  const { code, message, details } = error;
  const text = typeof message === 'string' ? message : code;
  const hint = code === 'not_found' ? adviseVersion(url) : undefined;
  return new ApiError({ code, status, message: text, details, requestId, retryAfterSeconds, headers, hint });
}

/** Makes one attempt: sends the request and validates the response. */
export async function attempt(
  fetch: typeof globalThis.fetch,
  request: Request,
  signal: AbortSignal,
  onInfo: (info: ResponseInfo) => void,
): Promise<ApiResponse> {
  const startMs = performance.now();
  const { response, text } = await send(fetch, request, signal);
  const info = describe(request, response, startMs);
  onInfo(info);
  const { status } = info;
  const body = parse(text);
  if (!response.ok) throw toError(body, info);
  if (!isRecord(body) || !('data' in body)) {
    throw new UnexpectedResponseError(
      `status ${status} without data; ${adviseVersion(info.url) ?? checkUrl}`,
      info,
    );
  }
  return { body, info };
}
