/** What came of the tests of one file. */
export type FileCounts = { path: string; passed: number; failed: number; skipped: number };

/** What the host of a virtual machine may keep of the CPU time wanted here, 0 to 1, before tests may fail for that. */
const stolenMost = 0.1;
/** More files than this do not fail by chance. */
const repeatedMost = 10;

export function summaryLine(files: readonly FileCounts[]): string {
  const sum = (count: 'passed' | 'failed' | 'skipped') => files.reduce((all, file) => all + file[count], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The files that failed, when they are few and the host took so much (`stolen`, 0 to 1) that it may have been the cause. */
export function filesToRepeat(files: readonly FileCounts[], stolen: number): string[] {
  const failed = files.filter((file) => file.failed > 0).map(({ path }) => path);
  return stolen > stolenMost && failed.length <= repeatedMost ? failed : [];
}

/** What stands after some files were run again: their later counts in the place of the first. */
export function withRepeated(first: readonly FileCounts[], again: readonly FileCounts[]): FileCounts[] {
  return first.map((file) => again.find(({ path }) => path === file.path) ?? file);
}
