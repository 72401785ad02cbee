import { expect, test } from '@jest/globals';
import { buildPublishedHeader } from './published.ts';

test.each([
  ['nats', new Error('2 events are not sent yet')],
  ['postgres', new Error('Connection terminated unexpectedly')],
])('a stored change that waits for %s says so', async (store, cause) => {
  await expect(buildPublishedHeader(['id'], () => Promise.reject(cause))).rejects.toMatchObject({
    code: 'api_unavailable',
    details: { stored: true, waiting_for: [store] },
  });
});
