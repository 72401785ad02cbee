import { z } from 'zod';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { ValidationDetail } from './error-details.ts';
import { Uuid } from './scalars.ts';

type ApiErrorOptions = {
  details?: unknown;
  message?: string;
  operatorMessage?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** A refusal. It must contain nothing internal, because `message` and `details` are sent to the caller. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;
  /** Sent to an operator instead of a message that names no cause. */
  readonly operatorMessage: string | undefined;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? errorCodes[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = errorCodes[code].status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.operatorMessage = options.operatorMessage;
  }
}

/** A `400 validation_error` with these details. */
export function validationError(details: ValidationDetail[]): ApiError {
  return new ApiError('validation_error', { details });
}

const ErrorContent = z
  .strictObject({
    code: z.string().describe('Error code. It is stable: branch on it. Further codes may follow.'),
    message: z.string().describe('For people. The wording may change.'),
    doc_url: z.string().describe('Path on this host of what the code means and how to fix it.'),
    details: z.unknown().optional().describe('May be absent. The shape depends on the code.'),
  })
  .meta({ id: 'ErrorContent' });

/** The envelope of every refusal. */
export const ErrorEnvelope = z
  .strictObject({
    error: ErrorContent.describe('What went wrong.'),
    request_id: Uuid.describe('Id of the request, equal to `X-Request-Id`. Quote it when you ask for help.'),
  })
  .meta({ id: 'ErrorResponse', description: 'The response to every request that is refused or fails.' });

/** Where the gateway serves the meaning of an error code. */
export const errorDocUrl = (code: ErrorCode): string => `/docs/errors#${code}`;

/** The wire form of a refusal: `{ error: { code, message, doc_url, details? }, request_id }`. */
export function errorBody(error: ApiError, requestId: string): z.infer<typeof ErrorEnvelope> {
  const { code, message, details } = error;
  return {
    error: { code, message, doc_url: errorDocUrl(code), ...(details === undefined ? {} : { details }) },
    request_id: requestId,
  };
}
