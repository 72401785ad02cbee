const LINE_FEED = 0x0a;

/** A line with its number from 1: its text, or why it cannot be read. */
export type Line = { number: number } & ({ text: string } | { error: string });

/**
 * The lines of a stream. Only a line feed ends one, as NDJSON has it: readline would also break at separators that a
 * JSON string may hold. Of a line over the limit nothing is kept.
 */
export async function* linesOf(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  const add = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > maxBytes) parts = [];
    else parts.push(part);
  };
  const take = (): Line => {
    const line = Buffer.concat(parts);
    const tooLong = bytes > maxBytes;
    parts = [];
    bytes = 0;
    number += 1;
    if (tooLong) return { number, error: `longer than ${maxBytes} bytes` };
    try {
      return { number, text: utf8.decode(line) };
    } catch {
      return { number, error: 'not valid UTF-8' };
    }
  };
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (bytes > 0) yield take();
}
