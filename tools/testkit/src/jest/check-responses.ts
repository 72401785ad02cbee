/** For every test file: an API response that violates the OpenAPI document fails the test that received it. */
import { afterAll, afterEach } from '@jest/globals';
import { invalidResponses, watchResponses } from '../responses/watch.ts';

const stop = watchResponses();

async function checkReceivedResponses(): Promise<void> {
  const found = await invalidResponses();
  if (found.length > 0) throw new Error(`responses violate docs/openapi.json:\n${found.join('\n')}`);
}

afterEach(checkReceivedResponses);
afterAll(async () => {
  stop();
  await checkReceivedResponses();
});
