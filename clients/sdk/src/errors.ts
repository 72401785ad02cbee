import type { ErrorDetails, PropertyPartialFailure, ValidationDetail } from './generated/types.ts';

export type ErrorCode = keyof ErrorDetails;

/** Base class of the client's errors, except invalid arguments (`TypeError`) and the reason of the caller's abort. */
export class BrandVisibilityError extends Error {
  override readonly name: string = 'BrandVisibilityError';

  /** `JSON.stringify` omits the message of other errors. */
  toJSON(): object {
    const { headers: _, ...fields } = this as { headers?: Headers };
    return { ...fields, name: this.name, message: this.message };
  }
}

type Refusal = {
  code: string;
  status: number;
  message: string;
  details: unknown;
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
  headers: Headers;
  /** Advice that is added to the message. */
  hint?: string | undefined;
};

const isDetail = (value: unknown): value is ValidationDetail =>
  typeof value === 'object' && value !== null && 'path' in value && 'message' in value;

/** Adds the invalid fields to the message, because logs often keep only the message. */
function explain({ message, details, hint }: Refusal): string {
  const fields = Array.isArray(details) ? details.filter(isDetail).slice(0, 3) : [];
  const lines = fields.map((field) => `${field.path || 'body'}: ${field.message}`);
  return [message, ...lines, ...(hint === undefined ? [] : [hint])].join('; ');
}

/** An error response of the API. Branch on `code` (`isApiError`): the wording of `message` may change. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends BrandVisibilityError {
  override readonly name: string = 'ApiError';
  readonly code: Code;
  readonly status: number;
  /** The shape depends on `code`. Always optional. */
  readonly details: ErrorDetails[Code] | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Headers of the response. */
  readonly headers: Headers;

  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${explain(refusal)}`);
    // Keep a code that this version does not know. It never equals a known code.
    this.code = refusal.code as Code;
    this.status = refusal.status;
    this.details = refusal.details as ErrorDetails[Code] | undefined;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.headers = refusal.headers;
  }
}

/** The ES module and the CommonJS module are two classes, and so are two versions in one program. */
const brand = Symbol.for('bv-sdk.ApiError');
Object.defineProperty(ApiError.prototype, brand, { value: true });

/** No response arrived: no server, no network, or a lost connection. A write may have been applied. */
export class ConnectionError extends BrandVisibilityError {
  override readonly name: string = 'ConnectionError';
}

/** An attempt or the call timed out. A write may have been applied. */
export class TimeoutError extends BrandVisibilityError {
  override readonly name: string = 'TimeoutError';
}

/** The response is not from this API. Usual causes are a wrong base URL or a proxy. */
export class UnexpectedResponseError extends BrandVisibilityError {
  override readonly name: string = 'UnexpectedResponseError';
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    message: string,
    response: { status: number; requestId: string | undefined; retryAfterSeconds?: number | undefined },
  ) {
    super(message);
    this.status = response.status;
    this.requestId = response.requestId;
    this.retryAfterSeconds = response.retryAfterSeconds;
  }
}

/** Whether `error` is an `ApiError` of any copy of this package, with one of the codes if any are passed. */
export function isApiError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is ApiError<Code> {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false;
  const { code } = error as Partial<ApiError>;
  return codes.length === 0 || codes.some((each) => each === code);
}

/** Whether a list must restart because the data changed. */
export const isStale = (error: unknown): boolean =>
  isApiError(error, 'invalid_cursor') && error.details?.reason === 'stale';

/**
 * Returns what `createProperty` created before it was refused, if anything. Link the failed competitors instead of
 * repeating the call.
 */
export function partialFailure(error: unknown): PropertyPartialFailure | undefined {
  if (!isApiError(error)) return undefined;
  const details: unknown = error.details;
  const partial =
    typeof details === 'object' && details !== null && 'brand_id' in details && 'competitors' in details;
  return partial ? (details as PropertyPartialFailure) : undefined;
}
