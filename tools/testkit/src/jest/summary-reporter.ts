import { type FileResult, summarise } from './summary.ts';

/** Writes one summary line for scripts at exit, after jest's own summary. */
class SummaryReporter {
  onRunComplete(_contexts: unknown, { testResults }: { testResults: FileResult[] }): void {
    const line = summarise(testResults);
    process.once('exit', () => process.stdout.write(`\n${line}\n`));
  }
}

// oxlint-disable-next-line import/no-default-export -- jest calls the default export
export default SummaryReporter;
