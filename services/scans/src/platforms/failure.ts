import { parseRetryAfter } from '@bv/sdk/retry-after';
import { z } from 'zod';
import { PlatformError, type PlatformErrorKind } from './platform.ts';

/** The error shapes of the six services in one: `{error: {...}}`, `{error: "..."}`, `{type: "error", error}`, `{status_code}`. */
const ErrorDetail = z.object({
  message: z.string().nullish().catch(null),
  type: z.string().nullish().catch(null),
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  status: z.string().nullish().catch(null),
  details: z
    .array(
      z.object({
        retryDelay: z.string().nullish().catch(null),
        violations: z
          .array(z.object({ quotaId: z.string().nullish() }))
          .nullish()
          .catch(null),
      }),
    )
    .nullish()
    .catch(null),
});
const ErrorBody = z.object({ error: z.union([ErrorDetail, z.string()]) });
type ErrorDetail = z.infer<typeof ErrorDetail>;

export function errorDetailOf(body: unknown): ErrorDetail | null {
  const parsed = ErrorBody.safeParse(body);
  if (!parsed.success) return null;
  return typeof parsed.data.error === 'string'
    ? ErrorDetail.parse({ message: parsed.data.error })
    : parsed.data.error;
}

/** An answer whose status is not a success. */
export function failureFromStatus(
  status: number,
  body: unknown,
  retryAfterSeconds: number | null,
): PlatformError {
  const detail = errorDetailOf(body) ?? ErrorDetail.parse({});
  return failure(status, status, detail, retryAfterSeconds);
}

/** An error in a body that came with 200: it may carry the status it should have had as its code. */
export function throwIfErrorInBody(body: unknown): void {
  const detail = errorDetailOf(body);
  if (detail === null) return;
  const code = Number(detail.code);
  throw failure(200, code >= 400 && code < 600 ? code : 0, detail, null);
}

function failure(
  status: number,
  meant: number,
  detail: ErrorDetail,
  retryAfterSeconds: number | null,
): PlatformError {
  const message = [status, detail.type, detail.code ?? detail.status, redact(detail.message ?? '')];
  return new PlatformError(
    kindOf(meant, detail),
    message.filter((part) => part !== null && part !== undefined).join(' '),
    {
      status,
      retryAfterSeconds: retryAfterSeconds ?? retryDelayOf(detail),
    },
  );
}

/** Looked at in order: a spent quota comes as 429, a bad key as 400. */
const rules: readonly { kind: PlatformErrorKind; statuses: readonly number[]; words: RegExp }[] = [
  {
    kind: 'quota',
    statuses: [402],
    words: /insufficient_quota|billing_|credit balance|run out of searches|out of credits|payment required/i,
  },
  {
    kind: 'unauthorised',
    statuses: [401, 403],
    words:
      /authentication_error|permission_error|invalid_api_key|api_key_invalid|unauthenticated|permission_denied|api key not valid|(?:invalid|incorrect) api key/i,
  },
  { kind: 'rate_limited', statuses: [429], words: /rate_limit|resource_exhausted|too_many_requests/i },
  { kind: 'timeout', statuses: [408, 504], words: /timeout_error|deadline_exceeded/i },
  { kind: 'unavailable', statuses: [409, 425], words: /overloaded_error|server_error/i },
];
const rejectedWords =
  /invalid_request|invalid_argument|not_found|request_too_large|invalid_prompt|failed_precondition/i;

function kindOf(status: number, detail: ErrorDetail): PlatformErrorKind {
  if (isDailyQuota(detail)) return 'quota';
  const words = [detail.type, detail.code, detail.status, detail.message].join(' ');
  const rule = rules.find((entry) => entry.statuses.includes(status) || entry.words.test(words));
  if (rule !== undefined) return rule.kind;
  const refused = (status >= 300 && status < 500) || (status < 300 && rejectedWords.test(words));
  return refused ? 'rejected' : 'unavailable';
}

/** Gemini says in the quota's name whether it comes back in a minute or tomorrow. */
function isDailyQuota(detail: ErrorDetail): boolean {
  return (detail.details ?? []).some((entry) =>
    entry.violations?.some((violation) => /PerDay/.test(violation.quotaId ?? '')),
  );
}

function retryDelayOf(detail: ErrorDetail): number | null {
  const delay = detail.details?.find((entry) => entry.retryDelay)?.retryDelay;
  const seconds = Number.parseFloat(delay ?? '');
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
}

/** Services quote keys in their messages; anything long enough to be one goes. */
function redact(message: string): string {
  return message.replace(/[\w*+/=-]{20,}/g, '…').slice(0, 200);
}

/** In seconds: `Retry-After`, or OpenAI's `retry-after-ms`, which is more exact. */
export function retryAfterOf(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
  nowMs: number,
): number | null {
  const [milliseconds = ''] = headers['retry-after-ms'] ?? [];
  if (/^\d+(?:\.\d+)?$/.test(milliseconds)) return Math.ceil(Number(milliseconds) / 1000);
  const seconds = parseRetryAfter(headers['retry-after'], nowMs);
  return seconds === undefined ? null : Math.ceil(seconds);
}
