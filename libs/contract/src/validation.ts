import type { z } from 'zod';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { ValidationDetail } from './error-details.ts';
import { ApiError } from './errors.ts';

type Issue = z.core.$ZodIssue;

const isErrorCode = (value: unknown): value is ErrorCode => typeof value === 'string' && value in errorCodes;

function toDetails(issue: Issue): ValidationDetail[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key].join('.'),
      code: issue.code,
      message: `Unrecognized field: ${key.slice(0, 100)}`,
    }));
  }
  if (issue.code === 'custom') {
    const code = typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'custom';
    const customPath = issue.params?.['path'];
    return [
      { path: typeof customPath === 'string' ? customPath : path.join('.'), code, message: issue.message },
    ];
  }
  return [{ path: path.join('.'), code: issue.code, message: issue.message }];
}

/** Converts a zod error to the `details` of a `validation_error`, at most 100 entries. */
export function zodToDetails(error: z.core.$ZodError): ValidationDetail[] {
  return error.issues.flatMap(toDetails).slice(0, 100);
}

/**
 * Converts a zod error to a refusal. A custom issue with `params.error` (and `params.details`) selects the error code.
 * Otherwise it is a `validation_error`.
 */
export function zodToApiError(error: z.core.$ZodError): ApiError {
  for (const issue of error.issues) {
    if (issue.code === 'custom' && isErrorCode(issue.params?.['error'])) {
      return new ApiError(issue.params['error'], { details: issue.params['details'] });
    }
  }
  return new ApiError('validation_error', { details: zodToDetails(error) });
}
