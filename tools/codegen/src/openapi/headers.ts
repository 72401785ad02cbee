/** Headers of responses. */
import type { ErrorCode, Operation } from '@bv/contract';

const whole = { schema: { type: 'integer', minimum: 0 } } as const;

const headers = {
  'X-Request-Id': {
    required: true,
    description: 'Id of the request; equals `request_id` of an error.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': { ...whole, required: true, description: 'Requests allowed in the clock minute.' },
  'X-RateLimit-Remaining': { ...whole, required: true, description: 'Requests left in the clock minute.' },
  'X-RateLimit-Reset': { ...whole, required: true, description: 'Unix seconds at which the minute ends.' },
  // Always sent with 429 and 503. ogen does not compile if an operation has a header required and optional.
  'Retry-After': { ...whole, description: 'Seconds to wait. Every 429 and 503 of this API has it.' },
  'Scan-Retry-After': {
    ...whole,
    description: 'Seconds to wait; sent with `scan_in_progress`.',
  },
  'X-Ignored-Parameters': {
    description:
      'Query parameters that the operation does not know, percent-encoded, with commas between them. Absent without any.',
    schema: { type: 'string', maxLength: 256 },
  },
  'Idempotent-Replayed': {
    description: 'Present on a replay of a stored response.',
    schema: { type: 'string', const: 'true' },
  },
} as const;

const { 'X-Request-Id': requestId, 'Retry-After': retryAfter } = headers;

/** The headers of each API, which the responses refer to. */
export const headersOf: Record<Operation['api'], object> = {
  public: headers,
  operator: { 'X-Request-Id': requestId, 'Retry-After': { ...retryAfter, description: 'Seconds to wait.' } },
};

const refer = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(
    names.map((name) => [name.replace('Scan-', ''), { $ref: `#/components/headers/${name}` }]),
  );

/** Responses that may be uncounted. They may lack the rate limit headers. */
const uncounted = [401, 405, 431, 500, 503];

/** Responses that are not stored for an `Idempotency-Key`. */
const neverStored = [401, 403, 405, 413];

export function responseHeaders(operation: Operation, status: number, codes: readonly ErrorCode[] = []) {
  if (operation.api === 'operator') {
    return { ...refer('X-Request-Id'), ...(status === 503 ? refer('Retry-After') : {}) };
  }
  return {
    ...refer('X-Request-Id'),
    ...(uncounted.includes(status)
      ? {}
      : refer('X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset')),
    ...(status < 300 ? refer('X-Ignored-Parameters') : {}),
    ...(status === 429 || status === 503 ? refer('Retry-After') : {}),
    ...(codes.includes('scan_in_progress') ? refer('Scan-Retry-After') : {}),
    ...(operation.idempotent && status < 429 && !neverStored.includes(status)
      ? refer('Idempotent-Replayed')
      : {}),
  };
}
