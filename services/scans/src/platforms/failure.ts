import { parseRetryAfter } from '@bv/resilience';
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

export function parseErrorDetail(body: unknown): ErrorDetail | null {
  // Most bodies have none, and a failed parse costs more than the rest of an answer.
  if (typeof body !== 'object' || body === null || !('error' in body) || body.error === null) return null;
  const parsed = ErrorBody.safeParse(body);
  if (!parsed.success) return null;
  return typeof parsed.data.error === 'string'
    ? ErrorDetail.parse({ message: parsed.data.error })
    : parsed.data.error;
}

/** The error of a response without a success status. */
export function failureFromStatus(
  status: number,
  body: unknown,
  retryAfterSeconds: number | null,
): PlatformError {
  const detail = parseErrorDetail(body) ?? ErrorDetail.parse({});
  return failure(status, status, detail, retryAfterSeconds);
}

/** Throws if the body of a 200 response holds an error. Its code may be the proper HTTP status. */
export function throwIfErrorInBody(body: unknown): void {
  const detail = parseErrorDetail(body);
  if (detail === null) return;
  const code = Number(detail.code);
  throw failure(200, code >= 400 && code < 600 ? code : 0, detail, null);
}

function failure(
  status: number,
  effectiveStatus: number,
  detail: ErrorDetail,
  retryAfterSeconds: number | null,
): PlatformError {
  const message = [status, detail.type, detail.code ?? detail.status, redact(detail.message ?? '')];
  return new PlatformError(
    toErrorKind(effectiveStatus, detail),
    message.filter((part) => part !== null && part !== undefined).join(' '),
    {
      status,
      retryAfterSeconds: retryAfterSeconds ?? parseRetryDelay(detail),
    },
  );
}

/** The first match counts: an exhausted quota comes as 429, an invalid key as 400. */
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

function toErrorKind(status: number, detail: ErrorDetail): PlatformErrorKind {
  if (isDailyQuota(detail)) return 'quota';
  const words = [detail.type, detail.code, detail.status, detail.message].join(' ');
  const rule = rules.find((entry) => entry.statuses.includes(status) || entry.words.test(words));
  if (rule !== undefined) return rule.kind;
  const isRejected = (status >= 300 && status < 500) || (status < 300 && rejectedWords.test(words));
  return isRejected ? 'rejected' : 'unavailable';
}

/** Gemini's quota id contains the period: a minute or a day. */
function isDailyQuota(detail: ErrorDetail): boolean {
  return (detail.details ?? []).some((entry) =>
    entry.violations?.some((violation) => /PerDay/.test(violation.quotaId ?? '')),
  );
}

function parseRetryDelay(detail: ErrorDetail): number | null {
  const delay = detail.details?.find((entry) => entry.retryDelay)?.retryDelay;
  const seconds = Number.parseFloat(delay ?? '');
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : null;
}

/** Services quote API keys in their messages: removes everything long enough to be a key. */
function redact(message: string): string {
  return message.replace(/[\w*+/=-]{20,}/g, '…').slice(0, 200);
}

/** Seconds from `Retry-After`, or from OpenAI's more exact `retry-after-ms`; null without a valid value. */
export function readRetryAfter(
  headers: Readonly<Record<string, readonly string[] | undefined>>,
  nowMs: number,
): number | null {
  const [milliseconds = ''] = headers['retry-after-ms'] ?? [];
  if (/^\d+(?:\.\d+)?$/.test(milliseconds)) return Math.ceil(Number(milliseconds) / 1000);
  const seconds = parseRetryAfter(headers['retry-after'], nowMs);
  return seconds === undefined ? null : Math.ceil(seconds);
}
