import { writeFileSync } from 'node:fs';
import { type FileCounts, summaryLine } from './summary.ts';

/** The fields of jest's result that this reporter reads. */
type FileResult = {
  testFilePath: string;
  numPassingTests: number;
  numFailingTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testExecError?: unknown;
};

const toFileCounts = (file: FileResult): FileCounts => ({
  path: file.testFilePath,
  passed: file.numPassingTests,
  // A file that could not run has no tests. It counts as one failure, so that it is not overlooked.
  failed: file.numFailingTests + (file.testExecError ? 1 : 0),
  skipped: file.numPendingTests + file.numTodoTests,
});

/**
 * Writes one summary line for scripts at exit, after jest's own summary. If `TEST_COUNTS_FILE` is set, it writes the
 * counts of all files there too.
 */
class SummaryReporter {
  onRunComplete(_contexts: unknown, { testResults }: { testResults: FileResult[] }): void {
    const files = testResults.map(toFileCounts);
    const { TEST_COUNTS_FILE: countsFile } = process.env;
    if (countsFile !== undefined) writeFileSync(countsFile, JSON.stringify(files));
    process.once('exit', () => process.stdout.write(`\n${summaryLine(files)}\n`));
  }
}

// oxlint-disable-next-line import/no-default-export -- jest calls the default export
export default SummaryReporter;
