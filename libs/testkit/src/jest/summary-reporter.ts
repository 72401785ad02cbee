/** The part of jest's result that is read here. */
type RunResult = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numRuntimeErrorTestSuites: number;
};

export function summaryLine(result: RunResult): string {
  // A file that could not run at all has no tests to count, yet it must not pass unseen.
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  const skipped = result.numPendingTests + result.numTodoTests;
  return `${result.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Ends the run with one plain line for scripts to read; at exit, because jest's own summary always comes last. */
class SummaryReporter {
  onRunComplete(_contexts: unknown, result: RunResult): void {
    process.once('exit', () => process.stdout.write(`\n${summaryLine(result)}\n`));
  }
}

// oxlint-disable-next-line import/no-default-export -- jest calls the default export
export default SummaryReporter;
