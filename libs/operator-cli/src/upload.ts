import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { exitStatus, Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

export type Upload = { stream: AsyncIterable<Uint8Array>; end: () => void };

/** The lines of a file, or of the standard input for `-`, with a progress bar on the way. */
export async function openUpload(file: string, terminal: Terminal): Promise<Upload> {
  const source = file === '-' ? { bytes: undefined, stream: terminal.input } : await openFile(file);
  const bar = terminal.isInteractive ? startBar(source.bytes) : undefined;
  return {
    stream: counted(source.stream, (length) => bar?.increment(length)),
    end: () => bar?.stop(),
  };
}

type Source = { bytes: number | undefined; stream: AsyncIterable<Uint8Array> };

async function openFile(file: string): Promise<Source> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
  if (found.isDirectory()) throw new Failure(exitStatus.usage, `${file} is a directory, not a file of lines`);
  return { bytes: found.isFile() ? found.size : undefined, stream: readingFile(file) };
}

async function* readingFile(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk as Uint8Array;
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

async function* counted(
  stream: AsyncIterable<Uint8Array>,
  count: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    yield chunk;
    count(chunk.length);
  }
}

function startBar(bytes: number | undefined): SingleBar {
  const format =
    bytes === undefined
      ? 'importing {value} bytes, {duration_formatted}'
      : 'importing [{bar}] {percentage}% {value}/{total} bytes, {eta_formatted} left';
  const bar = new SingleBar({ format, hideCursor: true, etaBuffer: 50 });
  bar.start(bytes ?? 0, 0);
  return bar;
}
