import { expect, test } from '@jest/globals';
import { type Line, readNdjsonLines } from './ndjson-lines.ts';

async function* toChunks(text: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readNdjsonLines(body, maxBytes)) lines.push(line);
  return lines;
}

test.each([1, 2, 3, 7, 100])('the lines are the same in chunks of %i bytes', async (size) => {
  const text = `first\n\nhöchst\u2028ens\n${'x'.repeat(21)}\nlast`;
  expect(await collect(toChunks(text, size), 20)).toEqual([
    { number: 1, text: 'first' },
    { number: 2, text: '' },
    { number: 3, text: 'höchst\u2028ens' },
    { number: 4, error: 'longer than 20 bytes' },
    { number: 5, text: 'last' },
  ]);
});

test('a line over the limit that is the last one, and one that ends exactly at it', async () => {
  expect(await collect(toChunks('x'.repeat(41), 1), 20)).toEqual([
    { number: 1, error: 'longer than 20 bytes' },
  ]);
  expect(await collect(toChunks('x'.repeat(20), 1), 20)).toEqual([{ number: 1, text: 'x'.repeat(20) }]);
});

test('a line in 1-byte chunks takes a small multiple of its size, also if it is over the limit', async () => {
  const length = 4_000_000;
  const byte = Buffer.from('x');
  let maxUsed = 0;
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  for (const maxBytes of [length, length / 2]) {
    const before = used();
    async function* body(): AsyncGenerator<Buffer> {
      for (let at = 0; at < length; at += 1) {
        // A separate view for each chunk, as the HTTP parser creates them.
        yield byte.subarray(0);
        if (at % 100_000 === 0) maxUsed = Math.max(maxUsed, used() - before);
      }
    }
    await collect(body(), maxBytes);
  }
  // A list of the chunks takes 800 MB.
  expect(maxUsed).toBeLessThan(100_000_000);
}, 60_000);
