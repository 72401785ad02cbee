import { Presets, SingleBar } from 'cli-progress';
import type { ExportProgress } from './export.ts';

const barSize = 40;

/** A bar for exports whose end is known, and the number of rows, on standard error. Without a terminal: nothing. */
export function createProgress() {
  let first: { rows: number; atMs: number } | undefined;
  let latest: ExportProgress | undefined;
  const describe = (): string => {
    const { rows = 0, fraction, restarts = 0 } = latest ?? {};
    const done = Math.round((fraction ?? 0) * barSize);
    const bar = `${'='.repeat(done)}${'-'.repeat(barSize - done)} ${Math.floor((fraction ?? 0) * 100)} % | `;
    const seconds = first === undefined ? 0 : (performance.now() - first.atMs) / 1000;
    const rate = seconds < 1 ? '' : ` | ${Math.round((rows - (first?.rows ?? 0)) / seconds)} rows/s`;
    const note = restarts === 0 ? '' : ` | started again ${restarts} times: the data changed`;
    return `${fraction === undefined ? '' : bar}${rows} rows${rate}${note}`;
  };
  // Ctrl-C ends the program instead of the bar.
  const bar = new SingleBar({ format: describe, gracefulExit: false }, Presets.legacy);
  return {
    update: (progress: ExportProgress) => {
      latest = progress;
      first ??= { rows: progress.rows, atMs: performance.now() };
      if (!bar.isActive) bar.start(1, 0);
      bar.update(progress.fraction ?? 0);
    },
    stop: () => bar.stop(),
  };
}
