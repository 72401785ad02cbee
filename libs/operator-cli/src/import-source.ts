import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { exitStatus, Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

export type ImportSource = {
  /** Undefined where the size is not known before the end. */
  bytes: number | undefined;
  stream: AsyncIterable<Uint8Array>;
  /** Also ends a read that waits for input. */
  close: () => void;
};

/** The lines of a file, or of the standard input for `-`. */
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

const reasons: Record<string, string> = { ENOENT: 'there is no such file', EACCES: 'it may not be read' };

function unreadable(file: string, error: NodeJS.ErrnoException): Failure {
  return new Failure(exitStatus.usage, `${file}: ${reasons[error.code ?? ''] ?? error.message}`, {
    advice: ['Give the path of a file with one JSON object a line, or - for the standard input.'],
  });
}
