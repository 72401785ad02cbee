import { BodyBuffer } from '@bv/http';

const lineFeed = 0x0a;

/** A line with its number, from 1: its text, or why it cannot be read. */
export type Line = { number: number } & ({ text: string } | { error: string });

/**
 * The lines of a stream. Only a line feed ends a line, as NDJSON specifies: readline also splits at separators that a
 * JSON string may contain. The bytes of a line over the limit are discarded.
 */
export async function* readNdjsonLines(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let line = new BodyBuffer(maxBytes);
  let isTooLong = false;
  let number = 0;
  const add = (chunkPart: Buffer): void => {
    if (!isTooLong && chunkPart.length > 0) isTooLong = !line.append(chunkPart);
  };
  const endLine = (): Line => {
    const bytes = line.toBuffer();
    const error = isTooLong ? `longer than ${maxBytes} bytes` : undefined;
    line = new BodyBuffer(maxBytes);
    isTooLong = false;
    number += 1;
    if (error !== undefined) return { number, error };
    try {
      return { number, text: utf8.decode(bytes) };
    } catch {
      return { number, error: 'not valid UTF-8' };
    }
  };
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      yield endLine();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (line.length > 0 || isTooLong) yield endLine();
}
