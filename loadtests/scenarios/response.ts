import http, { type RefinedParams, type RefinedResponse } from 'k6/http';
import type { ResponseRecord, RunInput } from '../src/record.ts';

declare const __ENV: Record<string, string>;
declare const __VU: number;
declare const console: { log(text: string): void };

export const data = JSON.parse(open(__ENV.DATA ?? '')) as RunInput;
/** Statistics of the summary. The responses themselves are in the log. */
export const summaryTrendStats = ['min', 'med', 'avg', 'p(95)', 'p(99)', 'max'];

export type Sent = {
  method: string;
  gateway: number;
  key: number;
  path: string;
  body?: unknown;
  token?: string;
  idempotencyKey?: string;
};
type HttpResponse = RefinedResponse<'text'>;

export function buildRequest(sent: Sent): [string, string, string | null, RefinedParams<'text'>] {
  const { method, gateway, key, path, body, idempotencyKey } = sent;
  const headers: Record<string, string> = {
    authorization: `Bearer ${sent.token ?? data.keys[key]?.key ?? ''}`,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  const name = path.replace(/\?.*/, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}');
  const params = { headers, responseType: 'text' as const, timeout: '20s', tags: { name } };
  return [
    method,
    `${data.baseUrls[gateway]}${path}`,
    body === undefined ? null : JSON.stringify(body),
    params,
  ];
}

export function send(
  phase: string,
  sent: Sent,
  extra?: (response: HttpResponse) => Partial<ResponseRecord>,
): HttpResponse {
  const startMs = Date.now();
  const response = http.request(...buildRequest(sent));
  log(phase, sent, { response, startMs, ...(extra === undefined ? {} : { extra: extra(response) }) });
  return response;
}

type Received = { response: HttpResponse; startMs: number; extra?: Partial<ResponseRecord> };

/** Logs one response. k6 writes its log to a file, one line per response. */
export function log(phase: string, { key, gateway }: Sent, { response, startMs, extra }: Received): void {
  const number = (name: string): number | null => {
    const text = response.headers[name];
    return text === undefined ? null : Number(text);
  };
  const date = response.headers['Date'];
  const record: ResponseRecord = {
    phase,
    key,
    gateway,
    user: __VU,
    startMs,
    endMs: Date.now(),
    durationMs: response.timings.duration,
    status: response.status,
    code: response.status < 400 ? null : parseErrorCode(response),
    date: date === undefined ? null : Date.parse(date) / 1_000,
    limit: number('X-Ratelimit-Limit'),
    remaining: number('X-Ratelimit-Remaining'),
    reset: number('X-Ratelimit-Reset'),
    retryAfter: number('Retry-After'),
    ...extra,
  };
  console.log(JSON.stringify(record));
}

function parseErrorCode(response: HttpResponse): string | null {
  try {
    return (JSON.parse(response.body ?? '') as { error: { code: string } }).error.code;
  } catch {
    return null;
  }
}

export function parseBody<T>(response: HttpResponse): T {
  return JSON.parse(response.body ?? '') as T;
}

/** Writes the summary of k6 as JSON, next to the log. */
export function writeSummary(summary: unknown): Record<string, string> {
  return { [__ENV.SUMMARY ?? 'summary.json']: JSON.stringify(summary) };
}
