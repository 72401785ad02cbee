import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { exitStatus, Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

export type ImportSource = {
  /** Undefined if the size is unknown, as for the standard input. */
  bytes: number | undefined;
  stream: AsyncIterable<Uint8Array>;
  /** Also ends a pending read. */
  close: () => void;
};

/** Opens a file, or the standard input for `-`. */
export async function openSource(file: string, terminal: Terminal): Promise<ImportSource> {
  if (file === '-') {
    return { bytes: undefined, stream: terminal.input, close: () => void terminal.input.destroy() };
  }
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
  if (found.isDirectory()) throw new Failure(exitStatus.usage, `${file} is a directory, not a file of lines`);
  const reading = createReadStream(file);
  return {
    bytes: found.isFile() ? found.size : undefined,
    stream: readingFile(file, reading),
    close: () => void reading.destroy(),
  };
}

async function* readingFile(file: string, reading: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of reading) yield chunk as Uint8Array;
  } catch (error) {
    throw unreadable(file, error as NodeJS.ErrnoException);
  }
}

const reasons: Record<string, string> = { ENOENT: 'no such file', EACCES: 'permission denied' };

function unreadable(file: string, error: NodeJS.ErrnoException): Failure {
  return new Failure(exitStatus.usage, `${file}: ${reasons[error.code ?? ''] ?? error.message}`, {
    hints: ['Pass the path of a file with one JSON object per line, or - for the standard input.'],
  });
}
