/** The fields of jest's result that the summary reads. */
export type FileResult = {
  numPassingTests: number;
  numFailingTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testExecError?: unknown;
};

/** One line for scripts: the numbers of passed, failed and skipped tests. */
export function summarise(files: readonly FileResult[]): string {
  const sum = (count: (file: FileResult) => number): number =>
    files.reduce((all, file) => all + count(file), 0);
  const passed = sum(({ numPassingTests }) => numPassingTests);
  // A file that could not run has no tests. It counts as one failure, so that it is not overlooked.
  const failed = sum((file) => file.numFailingTests + (file.testExecError ? 1 : 0));
  const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
