const lineFeed = 0x0a;

export type BatchLimit = { bytes: number; lines: number };

/**
 * Splits a stream into batches of whole lines without buffering them. Memory does not depend on the length of lines,
 * chunks or batches.
 */
export class LineBatches {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #isInLine = false;
  /** Whole lines and bytes yielded so far. */
  lines = 0;
  bytes = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) {
        // The last line may end without a line feed.
        if (this.#isInLine) this.lines += 1;
        this.#isInLine = false;
        return false;
      }
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    return true;
  }

  /** The next batch: it ends with the line in which it reaches a limit, or with the stream. */
  async *next(limit: BatchLimit): AsyncGenerator<Buffer> {
    let left = limit;
    while (await this.hasMore()) {
      const { end, lines, isFull } = cut(this.#rest, left);
      const piece = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      left = { bytes: left.bytes - end, lines: left.lines - lines };
      this.bytes += end;
      this.lines += lines;
      this.#isInLine = piece.at(-1) !== lineFeed;
      yield piece;
      if (isFull) return;
    }
  }
}

/** Where a batch ends in a chunk, or the chunk's own end. */
function cut(chunk: Buffer, left: BatchLimit): { end: number; lines: number; isFull: boolean } {
  let lines = 0;
  for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) {
    lines += 1;
    if (at + 1 >= left.bytes || lines >= left.lines) return { end: at + 1, lines, isFull: true };
  }
  return { end: chunk.length, lines, isFull: false };
}
