import { ApiError, ConnectionError, type ErrorCode, TimeoutError, UnexpectedResponseError } from '@bv/sdk';
import { errorGuidance } from '@bv/contract/error-guidance';

/** What readers of this page can do. The other codes have the texts of the guide. */
const readers: Partial<Record<ErrorCode, string>> = {
  invalid_api_key:
    'This key is unknown, has expired or was revoked. Check it, or ask your administrator for another.',
  tier_not_entitled:
    'The plan of this organisation has no access to the API. Ask your administrator for another plan.',
  not_found: 'The organisation, brand or prompt does not exist, or this key cannot see it.',
  validation_error: 'The address of this page has a value that the API does not accept.',
  invalid_cursor: 'New results have arrived since this list was opened. It has to start again.',
  scan_in_progress: 'New results are being stored at this moment.',
  rate_limited: 'The requests of this minute are used up.',
  quota_exceeded:
    'The requests of this month are used up. They start again next month, or with a larger quota.',
  rate_limit_unavailable: 'The request could not be counted, so it was refused.',
  api_unavailable: 'A part of the service does not respond.',
  internal_error: 'The service made a mistake. Report the request if this stays.',
};

type Refusal = {
  text: string;
  /** `invalid_api_key` and so on, for the people who help. */
  code?: string;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
};

/** An error in plain words. */
export function describeRefusal(error: unknown): Refusal {
  if (error instanceof ApiError) {
    const { code, message, requestId, retryAfterSeconds } = error;
    const guidance = errorGuidance[code as keyof typeof errorGuidance] as { cause: string } | undefined;
    const text =
      readers[code as ErrorCode] ?? guidance?.cause.replaceAll('`', '').replaceAll('_', ' ') ?? message;
    return { text, code, requestId, retryAfterSeconds };
  }
  if (error instanceof UnexpectedResponseError) {
    const { requestId, retryAfterSeconds } = error;
    const text = 'Something between this page and the API answered instead of it.';
    return { text, requestId, retryAfterSeconds };
  }
  if (error instanceof ConnectionError) return { text: 'No connection to the API.' };
  if (error instanceof TimeoutError) return { text: 'The API did not respond in time.' };
  if (error instanceof TypeError) return { text: 'This is not a key: it has invalid characters.' };
  return { text: 'This page made a mistake. Load it again.' };
}
