import { ApiError, BrandVisibilityError, ConnectionError } from '@bv/sdk';

/** Wrong arguments or settings: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command that could not finish: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const fullDisk = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** What happened, for a person, without the key. */
export function describeError(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ApiError && error.status === 401) {
    return `the API refused the key (${error.code}): it is wrong, expired or revoked`;
  }
  if (error instanceof ConnectionError) return `${error.message}; is BV_BASE_URL right?`;
  if (error instanceof BrandVisibilityError) return error.message;
  if (fullDisk.includes(code ?? '')) return `no space is left for the file (${code})`;
  const { cause } = error as { cause?: unknown };
  // `fetch failed` says nothing. An error for several addresses of a host has a code only.
  if (error instanceof TypeError && cause instanceof Error) {
    return cause.message || String((cause as NodeJS.ErrnoException).code);
  }
  return error instanceof Error ? error.message : String(error);
}

export const exitCode = (error: unknown): number =>
  error instanceof UsageError || error instanceof TypeError ? 2 : 1;
