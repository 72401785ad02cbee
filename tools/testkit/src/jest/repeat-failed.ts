/** For every test file: a failed test runs once more. `summary-reporter.ts` decides whether a success then counts. */
import { jest } from '@jest/globals';

jest.retryTimes(1, { logErrorsBeforeRetry: true });
