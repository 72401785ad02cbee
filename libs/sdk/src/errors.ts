import type { ErrorDetails, PropertyPartialFailure, ValidationDetail } from './generated/types.ts';

export type ErrorCode = keyof ErrorDetails;

/** Everything the client throws, save a caller's own abort and misuse (`TypeError`). */
export class BrandVisibilityError extends Error {
  override readonly name: string = 'BrandVisibilityError';
}

type Refusal = {
  code: string;
  status: number;
  message: string;
  details: unknown;
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
};

const isDetail = (value: unknown): value is ValidationDetail =>
  typeof value === 'object' && value !== null && 'path' in value && 'message' in value;

/** The refused fields belong to the message: it is often all that a log keeps. */
function explain({ message, details }: Refusal): string {
  if (!Array.isArray(details)) return message;
  const fields = details.filter(isDetail).slice(0, 3);
  return [message, ...fields.map((field) => `${field.path || 'body'}: ${field.message}`)].join('; ');
}

/** A refusal of the service. Branch on `code` (`isApiError`); the wording of `message` may change. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends BrandVisibilityError {
  override readonly name: string = 'ApiError';
  readonly code: Code;
  readonly status: number;
  /** Shape by `code`; optional always. */
  readonly details: ErrorDetails[Code] | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${explain(refusal)}`);
    // A code this version does not know stays readable; no comparison with a known one holds.
    this.code = refusal.code as Code;
    this.status = refusal.status;
    this.details = refusal.details as ErrorDetails[Code] | undefined;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** No answer arrived: no server, no network, or the connection was lost on the way. A write may have landed. */
export class ConnectionError extends BrandVisibilityError {
  override readonly name: string = 'ConnectionError';
}

/** An attempt or the call did not end in time. A write may have landed. */
export class TimeoutError extends BrandVisibilityError {
  override readonly name: string = 'TimeoutError';
}

/** What answered does not speak this API: most often a wrong base URL or a proxy in between. */
export class UnexpectedAnswerError extends BrandVisibilityError {
  override readonly name: string = 'UnexpectedAnswerError';
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    answer: { status: number; requestId: string | undefined; retryAfterSeconds?: number | undefined },
  ) {
    super(message);
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/** Whether `error` is a refusal of the service with one of the codes; narrows `details`. */
export function isApiError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is ApiError<Code> {
  return error instanceof ApiError && (codes.length === 0 || codes.some((code) => code === error.code));
}

/** Whether a walk must restart because the data changed. */
export const isStale = (error: unknown): boolean =>
  isApiError(error, 'invalid_cursor') && error.details?.reason === 'stale';

/** What was made all the same when `createProperty` was refused half-way: link the failed competitors, do not repeat. */
export function partialFailure(error: unknown): PropertyPartialFailure | undefined {
  if (!isApiError(error)) return undefined;
  const details: unknown = error.details;
  const partial =
    typeof details === 'object' && details !== null && 'brand_id' in details && 'competitors' in details;
  return partial ? (details as PropertyPartialFailure) : undefined;
}
