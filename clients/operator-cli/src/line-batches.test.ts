import { describe, expect, it } from '@jest/globals';
import { LineBatches } from './line-batches.ts';

async function* toPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readBatches(
  text: string,
  { piece, size, lines = 1_000 }: { piece: number; size: number; lines?: number },
) {
  const batches = new LineBatches(toPieces(text, piece));
  const found: { text: string; lines: number; bytes: number }[] = [];
  while (await batches.hasMore()) {
    const pieces: Buffer[] = [];
    for await (const part of batches.next({ bytes: size, lines })) pieces.push(part);
    found.push({ text: Buffer.concat(pieces).toString(), lines: batches.lines, bytes: batches.bytes });
  }
  return found;
}

describe('batches of lines', () => {
  const text = 'one\ntwo\nthree\n\nfive is long\nsix';

  it.each([1, 2, 3, 5, 8, 100])(
    'end after the line that reaches their size, in pieces of %i bytes',
    async (piece) => {
      expect(await readBatches(text, { piece, size: 6 })).toEqual([
        { text: 'one\ntwo\n', lines: 2, bytes: 8 },
        { text: 'three\n', lines: 3, bytes: 14 },
        { text: '\nfive is long\n', lines: 5, bytes: 28 },
        { text: 'six', lines: 6, bytes: 31 },
      ]);
    },
  );

  it.each([1, 3, 100])(
    'end with the line that reaches their number of lines, in pieces of %i bytes',
    async (piece) => {
      expect(await readBatches(text, { piece, size: 1_000, lines: 2 })).toMatchObject([
        { text: 'one\ntwo\n', lines: 2 },
        { text: 'three\n\n', lines: 4 },
        { text: 'five is long\nsix', lines: 6 },
      ]);
    },
  );

  it('are one where the size is not reached, and none of nothing', async () => {
    expect(await readBatches(text, { piece: 4, size: 1_000 })).toMatchObject([{ text }]);
    expect(await readBatches('', { piece: 4, size: 10 })).toEqual([]);
  });
});
