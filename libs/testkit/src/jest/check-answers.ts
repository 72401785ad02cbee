/** For every test file: an answer of the API that is not as its document says fails the test that got it. */
import { afterAll, afterEach } from '@jest/globals';
import { answersOutsideDocument, watchAnswers } from '../answers/watch.ts';

const stop = watchAnswers();

async function refuseAnswersOutsideDocument(): Promise<void> {
  const found = await answersOutsideDocument();
  if (found.length > 0) throw new Error(`not as docs/openapi.json says:\n${found.join('\n')}`);
}

afterEach(refuseAnswersOutsideDocument);
afterAll(async () => {
  stop();
  await refuseAnswersOutsideDocument();
});
