import { ApiError } from '@bv/contract';
import { expect, test } from '@jest/globals';
import { toErrorResponse } from './send-response.ts';

const lostConnection = Object.assign(new Error('secret'), { code: 'ECONNREFUSED' });

test.each<[string, unknown, number, Record<string, string>, string | null]>([
  ['a refusal', new ApiError('not_found'), 404, {}, null],
  ['a limit', new ApiError('rate_limited', { retryAfterSeconds: 7 }), 429, { 'retry-after': '7' }, null],
  ['a wrong key', new ApiError('invalid_api_key'), 401, { 'www-authenticate': 'Bearer' }, null],
  ['unavailability', new ApiError('api_unavailable'), 503, { 'retry-after': '5' }, 'warn'],
  [
    'unavailability with its own wait',
    new ApiError('rate_limit_unavailable', { retryAfterSeconds: 1 }),
    503,
    { 'retry-after': '1' },
    'warn',
  ],
  ['a lost database connection', lostConnection, 503, { 'retry-after': '5' }, 'warn'],
  ['a bug', new TypeError('secret'), 500, {}, 'error'],
  ['what is no error', 'secret', 500, {}, 'error'],
])('%s', (_, error, status, headers, level) => {
  const { refusal, log, ...response } = toErrorResponse(error);
  expect(refusal.status).toBe(status);
  expect(refusal.message).not.toContain('secret');
  expect(response.headers).toEqual(headers);
  expect(log?.level ?? null).toBe(level);
});
