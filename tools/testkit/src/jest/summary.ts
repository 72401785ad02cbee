/** Results of the tests of one file. */
export type FileCounts = { path: string; passed: number; failed: number; skipped: number };

/** Share of CPU steal, 0 to 1, above which tests may fail without a defect. */
const maxSteal = 0.1;
/** More failed files than this have a cause other than CPU steal. */
const maxRepeatedFiles = 10;

export function summaryLine(files: readonly FileCounts[]): string {
  const sum = (count: 'passed' | 'failed' | 'skipped') => files.reduce((all, file) => all + file[count], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Returns the failed files if they are few and CPU steal (a share, 0 to 1) may be the cause. Otherwise none. */
export function filesToRepeat(files: readonly FileCounts[], cpuSteal: number): string[] {
  const failed = files.filter((file) => file.failed > 0).map(({ path }) => path);
  return cpuSteal > maxSteal && failed.length <= maxRepeatedFiles ? failed : [];
}

/** The counts of a run in which the counts of repeated files replace the first ones. */
export function mergeRepeated(first: readonly FileCounts[], repeated: readonly FileCounts[]): FileCounts[] {
  return first.map((file) => repeated.find(({ path }) => path === file.path) ?? file);
}
