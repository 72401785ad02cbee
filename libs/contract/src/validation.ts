import type { z } from 'zod';
import { ApiError, type ErrorCode, errorCodes, type ValidationDetail } from './errors.ts';

type Issue = z.core.$ZodIssue;

const isErrorCode = (value: unknown): value is ErrorCode => typeof value === 'string' && value in errorCodes;

function detailsOfIssue(issue: Issue): ValidationDetail[] {
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
    const named = issue.params?.['path'];
    return [{ path: typeof named === 'string' ? named : path.join('.'), code, message: issue.message }];
  }
  return [{ path: path.join('.'), code: issue.code, message: issue.message }];
}

/** The `details` of a `validation_error` for what zod found; at most 100 entries. */
export function zodToDetails(error: z.core.$ZodError): ValidationDetail[] {
  return error.issues.flatMap(detailsOfIssue).slice(0, 100);
}

/**
 * The refusal that answers what zod found: a schema may name an error code of its own by a custom issue with
 * `params.error` (and `params.details`), else it is a `validation_error`.
 */
export function zodToApiError(error: z.core.$ZodError): ApiError {
  for (const issue of error.issues) {
    if (issue.code === 'custom' && isErrorCode(issue.params?.['error'])) {
      return new ApiError(issue.params['error'], { details: issue.params['details'] });
    }
  }
  return new ApiError('validation_error', { details: zodToDetails(error) });
}
