import { finished } from 'node:stream/promises';
import type { ExportFile } from './export-file.ts';
import { CommandError } from './failure.ts';

/** Rows for the next program. What is written cannot be taken back, and there is nothing to continue. */
export class StandardOutput implements Pick<
  ExportFile,
  'abandon' | 'append' | 'bytes' | 'finish' | 'isKept' | 'saveState' | 'truncate'
> {
  readonly isKept = false;
  bytes = 0;

  async append(content: Uint8Array): Promise<void> {
    this.bytes += content.length;
    const { stdout } = process;
    if (content.length === 0 || stdout.write(content)) return;
    await Promise.race([new Promise((resolve) => stdout.once('drain', resolve)), finished(stdout)]);
  }

  truncate(bytes: number): Promise<void> {
    if (bytes === this.bytes) return Promise.resolve();
    const message = 'the data changed while it was written: repeat the command, or write to a file';
    return Promise.reject(new CommandError(message));
  }

  saveState(): Promise<void> {
    return Promise.resolve();
  }

  finish(): Promise<void> {
    return Promise.resolve();
  }

  abandon(): Promise<void> {
    return Promise.resolve();
  }
}
