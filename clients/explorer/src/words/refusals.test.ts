import { expect, test } from '@jest/globals';
import { errorCodes } from '@bv/contract';
import { ApiError, ConnectionError, TimeoutError } from '@bv/sdk';
import { describeRefusal } from './refusals.ts';

const refuse = (code: string) =>
  describeRefusal(
    new ApiError({
      code,
      status: 400,
      message: 'As the API says it',
      details: undefined,
      requestId: 'r1',
      retryAfterSeconds: 12,
      headers: new Headers(),
    }),
  );

test.each(Object.keys(errorCodes))('%s is explained in plain words, without marks of code', (code) => {
  const { text, ...rest } = refuse(code);
  expect(text).toMatch(/^[^_`]{10,}\.$/);
  expect(rest).toEqual({ code, requestId: 'r1', retryAfterSeconds: 12 });
});

test('a code of a later version has the message of the API', () => {
  expect(refuse('from_the_future').text).toContain('As the API says it');
});

test('errors without a response are explained too', () => {
  expect(describeRefusal(new ConnectionError('x')).text).toBe('No connection to the API.');
  expect(describeRefusal(new TimeoutError('x')).text).toBe('The API did not respond in time.');
  expect(describeRefusal(new TypeError('apiKey has invalid characters')).text).toContain('not a key');
});
