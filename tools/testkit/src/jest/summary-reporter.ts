import { watchCpuSteal } from '@bv/measure';
import { type FileResult, summarise } from './summary.ts';

/**
 * Writes one summary line for scripts at exit, after jest's own summary. A test that passes only when it is repeated
 * fails the run, unless CPU steal may be the cause.
 */
class SummaryReporter {
  readonly #readCpuSteal = watchCpuSteal();
  #defect: Error | undefined;

  onRunComplete(_contexts: unknown, { testResults }: { testResults: FileResult[] }): void {
    const cpuSteal = this.#readCpuSteal();
    const { line, unstable, isDefect } = summarise(testResults, cpuSteal);
    if (unstable.length > 0) {
      const percent = (cpuSteal * 100).toFixed(0);
      console.log(`\nPassed only when repeated, with ${percent} % CPU steal:\n  ${unstable.join('\n  ')}`);
    }
    if (isDefect) this.#defect = new Error(`${unstable.length} tests passed only when repeated`);
    process.once('exit', () => process.stdout.write(`\n${line}\n`));
  }

  /** With an error, jest ends with status 1. */
  getLastError(): Error | undefined {
    return this.#defect;
  }
}

// oxlint-disable-next-line import/no-default-export -- jest calls the default export
export default SummaryReporter;
