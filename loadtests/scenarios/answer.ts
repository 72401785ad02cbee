import http, { type RefinedParams, type RefinedResponse } from 'k6/http';
import type { AnswerRecord, RunInput } from '../src/record.ts';

declare const __ENV: Record<string, string>;
declare const __VU: number;
declare const console: { log(text: string): void };

export const data = JSON.parse(open(__ENV.DATA ?? '')) as RunInput;
/** Numbers of how a run went; the answers themselves are in the log. */
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
type Answer = RefinedResponse<'text'>;

export function requestOf(sent: Sent): [string, string, string | null, RefinedParams<'text'>] {
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

export function send(phase: string, sent: Sent, more?: (answer: Answer) => Partial<AnswerRecord>): Answer {
  const startMs = Date.now();
  const answer = http.request(...requestOf(sent));
  log(phase, sent, { answer, startMs, ...(more === undefined ? {} : { more: more(answer) }) });
  return answer;
}

type Seen = { answer: Answer; startMs: number; more?: Partial<AnswerRecord> };

/** k6 writes its log to a file; each answer is one line of it. */
export function log(phase: string, { key, gateway }: Sent, { answer, startMs, more }: Seen): void {
  const number = (name: string): number | null => {
    const text = answer.headers[name];
    return text === undefined ? null : Number(text);
  };
  const date = answer.headers['Date'];
  const record: AnswerRecord = {
    phase,
    key,
    gateway,
    user: __VU,
    startMs,
    endMs: Date.now(),
    durationMs: answer.timings.duration,
    status: answer.status,
    code: answer.status < 400 ? null : codeOf(answer),
    date: date === undefined ? null : Date.parse(date) / 1_000,
    limit: number('X-Ratelimit-Limit'),
    remaining: number('X-Ratelimit-Remaining'),
    reset: number('X-Ratelimit-Reset'),
    retryAfter: number('Retry-After'),
    ...more,
  };
  console.log(JSON.stringify(record));
}

function codeOf(answer: Answer): string | null {
  try {
    return (JSON.parse(answer.body ?? '') as { error: { code: string } }).error.code;
  } catch {
    return null;
  }
}

export function bodyOf<T>(answer: Answer): T {
  return JSON.parse(answer.body ?? '') as T;
}

/** k6's own figures as JSON, next to the log. */
export function writeSummary(summary: unknown): Record<string, string> {
  return { [__ENV.SUMMARY ?? 'summary.json']: JSON.stringify(summary) };
}
