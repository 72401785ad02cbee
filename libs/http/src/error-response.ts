import { ApiError } from '@bv/contract';
import { isUnavailable } from '@bv/postgres';
import { ReplayedRefusal, replayedHeader } from './process-once.ts';

/** Retry-After of a 503 without its own value. */
export const unavailableRetrySeconds = 5;

/** What a client receives for an error, and what the log says about it. */
export type ErrorResponse = {
  refusal: ApiError;
  /** In addition to the headers that every response has. */
  headers: Record<string, string>;
  /** Undefined for a refusal that is no fault of the service. */
  log: { level: 'warn' | 'error'; message: string } | undefined;
};

/**
 * The only place where an error becomes a response: of the services, the public edge and the operator API. An error of
 * the database or of another service is `503`, unknown errors are `500`. Their text is never sent.
 */
export function toErrorResponse(error: unknown): ErrorResponse {
  const refusal = toApiError(error);
  const { status, retryAfterSeconds } = refusal;
  const retryAfter = retryAfterSeconds ?? (status === 503 ? unavailableRetrySeconds : undefined);
  const headers = {
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(refusal instanceof ReplayedRefusal && { [replayedHeader]: 'true' }),
  };
  return { refusal, headers, log: toLogLine(status) };
}

/** An error of the product is an ApiError already, also one that says that another service is unavailable. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(isUnavailable(error) ? 'api_unavailable' : 'internal_error', { cause: error });
}

function toLogLine(status: number): ErrorResponse['log'] {
  if (status === 500) return { level: 'error', message: 'request failed' };
  return status > 500 ? { level: 'warn', message: 'request refused: unavailable' } : undefined;
}
