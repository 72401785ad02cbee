import { writeFileSync } from 'node:fs';
import { type FileCounts, summaryLine } from './summary.ts';

/** The part of jest's result that is read here. */
type FileResult = {
  testFilePath: string;
  numPassingTests: number;
  numFailingTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testExecError?: unknown;
};

const countsOf = (file: FileResult): FileCounts => ({
  path: file.testFilePath,
  passed: file.numPassingTests,
  // A file that could not run at all has no tests to count, yet it must not pass unseen.
  failed: file.numFailingTests + (file.testExecError ? 1 : 0),
  skipped: file.numPendingTests + file.numTodoTests,
});

/**
 * Ends the run with one plain line for scripts to read; at exit, because jest's own summary always comes last. Where
 * `TEST_COUNTS_FILE` is set, the counts of all files go there too.
 */
class SummaryReporter {
  onRunComplete(_contexts: unknown, { testResults }: { testResults: FileResult[] }): void {
    const files = testResults.map(countsOf);
    const { TEST_COUNTS_FILE: countsFile } = process.env;
    if (countsFile !== undefined) writeFileSync(countsFile, JSON.stringify(files));
    process.once('exit', () => process.stdout.write(`\n${summaryLine(files)}\n`));
  }
}

// oxlint-disable-next-line import/no-default-export -- jest calls the default export
export default SummaryReporter;
