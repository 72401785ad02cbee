/** The fields of jest's result that the summary reads. */
export type FileResult = {
  testFilePath: string;
  numPassingTests: number;
  numFailingTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testExecError?: unknown;
  testResults: readonly { fullName: string; status: string; invocations?: number }[];
};

/** Share of CPU steal, 0 to 1, above which a deadline of seconds may expire without a defect. */
const maxSteal = 0.1;

export type Summary = {
  line: string;
  /** Tests that passed only when they were repeated. */
  unstable: string[];
  /** Whether the unstable tests count as failed, because CPU steal was low. */
  isDefect: boolean;
};

export function summarise(files: readonly FileResult[], cpuSteal: number): Summary {
  const sum = (count: (file: FileResult) => number): number =>
    files.reduce((all, file) => all + count(file), 0);
  const unstable = files.flatMap(({ testFilePath, testResults }) =>
    testResults
      .filter(({ status, invocations = 1 }) => status === 'passed' && invocations > 1)
      .map(({ fullName }) => `${testFilePath}: ${fullName}`),
  );
  const isDefect = unstable.length > 0 && cpuSteal <= maxSteal;
  const defects = isDefect ? unstable.length : 0;
  const passed = sum(({ numPassingTests }) => numPassingTests) - defects;
  // A file that could not run has no tests. It counts as one failure, so that it is not overlooked.
  const failed = sum((file) => file.numFailingTests + (file.testExecError ? 1 : 0)) + defects;
  const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return { line, unstable, isDefect };
}
